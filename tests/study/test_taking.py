"""What was made elsewhere, known by its content."""

import json

from rereview.study.taking import edit_files, is_edits


def test_edit_records_are_known_by_their_content(tmp_path):
    """Of a folder the JSON files with a list of perturbations, in order; the rest is passed over."""
    (tmp_path / "b").mkdir()
    for name in ("surface.json", "b/claim.json"):
        (tmp_path / name).write_text(json.dumps({"perturbations": []}))
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "half.json").write_text('{"perturbations": [')
    (tmp_path / "other.json").write_text("[1]")
    (tmp_path / "surface.txt").write_text('{"perturbations": []}')
    found = [path.relative_to(tmp_path).as_posix() for path in edit_files([tmp_path])]
    assert found == ["b/claim.json", "surface.json"]
    assert not is_edits(tmp_path / "none.json")
