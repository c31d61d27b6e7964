"""`rereview measure` and `rereview budget` as a person runs them."""

import csv
import io
import json
import re

import numpy as np
import pytest

from rereview.cli.main import main
from rereview.study.store import Store

MODELS = {
    "GPT-5.6-Sol": (
        *((60, 10, 0, 0), (13, 1, 7, 2), (63, 9, 1, 0), (2, 8, 2, 0), (1, 7, 3, 0), (1, 6, 4, 0)),
        (60, 5, 5, 0),
    ),
    "GPT-6-Luna": (
        *((65, 10, 0, 0), (13, 2, 6, 2), (4, 1, 6, 3), (57, 9, 1, 0), (2, 8, 2, 0), (1, 7, 3, 0)),
        (58, 5, 5, 0),
    ),
    "GPT-6-Sol": ((113, 10, 0, 0), (52, 9, 1, 0), (1, 8, 2, 0), (1, 6, 4, 0), (33, 5, 5, 0)),
}
"""Papers as (how many, rounds of 5, of 6, of 7), with every number that the paper prints of a model."""
HOSTILE = (
    "=cmd|' /C calc'!A0",
    "\\input{/etc/passwd}",
    "a & b_{c}^2 ~ # $x$ %",
    "[x]",
    "*",
    "-1+1",
    "\x1b[31m",
    "<|>",
)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(here, capsys):
    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            main([str(each) for each in arguments])
        shown = capsys.readouterr()
        return stop.value.code or 0, shown.out, shown.err

    return call


def write(here, content, name="s.csv"):
    (here / name).write_text(content, encoding="utf-8")
    return name


def table(*models, columns="paper,round,score"):
    """A CSV of integer scores with the printed numbers of the models named."""
    rng = np.random.default_rng(0)
    lines = [columns + (",model" if len(models) > 1 else "")]
    for model in models:
        kinds = [kind[1:] for kind in MODELS[model] for _ in range(kind[0])]
        for paper, kind in enumerate(kinds):
            scores = rng.permuted(np.repeat([5, 6, 7], kind)).tolist()
            same = f",{model}" if len(models) > 1 else ""
            lines += [f"p{paper:03d},{t},{score}{same}" for t, score in enumerate(scores, start=1)]
    return "\n".join(lines) + "\n"


def small(papers=8, rounds=4, extra=""):
    """A small table with some spread."""
    lines = [f"p{i},{t + 1},{4 + (i * t) % 3}{extra}" for i in range(papers) for t in range(rounds)]
    return "\n".join(lines) + "\n"


def cell(printed, name, row, column):
    (found,) = [
        each for each in printed["tables"][name]["cells"] if (each["row"], each["column"]) == (row, column)
    ]
    return found


SUMMARY = ("--papers", 200, "--pilot", 10, "--tolerance", 0.5)


def test_budgets_of_a_variance(run):
    """The numbers of table S16 for GPT-5.6-Sol, and null for what a variance alone does not tell."""
    code, out, err = run("budget", "--variance", "0.140056", *SUMMARY, "--json")
    found = json.loads(out)
    names = ("planning", "certified", "simultaneous", "joint", "hoeffding")
    assert code == 0
    assert err == ""
    assert [found[name] for name in names] == [12, 33, 39, 51, 598]
    assert found["certified_tighter"] is found["lattice"] is None
    assert set(names) <= set(found["notes"])


@pytest.mark.parametrize(
    ("pairs", "tighter", "lattice"),
    [("0:6557,1:2417,2:26", 22, 7), ("0:6512,1:2424,2:64", 23, 7), ("0:7667,1:1333", 17, 6)],
)
def test_budgets_of_pairs(run, pairs, tighter, lattice):
    """Pair differences allow the tighter and the lattice budget."""
    _, out, _ = run("budget", "--pairs", pairs, *SUMMARY, "--json")
    found = json.loads(out)
    assert (found["certified_tighter"], found["lattice"]) == (tighter, lattice)


def test_a_budget_is_rounded_as_its_decimals_are_written(run, here):
    """V = (0.1 + 0.2) / 2 at 0.5 is 12 reviews; a float of it would give 13."""
    papers = {"a": (5.4, 4.6, 5.2, 4.8, 5.0), "b": (5.2, 5.2, 5.2, 5.2, 4.2)}
    rows = [f"{paper},{score}" for paper, scores in papers.items() for score in scores]
    name = write(here, "paper,score\n" + "\n".join(rows) + "\n")
    _, out, _ = run("budget", name, "--tolerance", "0.5", "--json")
    assert json.loads(out)["planning"] == 12
    assert json.loads(out)["variance"] == 0.15
    _, out, _ = run("budget", "--variance", "0.15", *SUMMARY, "--json")
    assert json.loads(out)["planning"] == 12
    _, out, _ = run("measure", name, "--table", "budget", "--tolerance", "0.5", "--json")
    assert cell(json.loads(out), "budget", "tolerance 0.5", "planning")["value"] == 12


def test_budgets_of_scores_are_those_of_their_pairs(run, here):
    """The file and its pairs say the same."""
    name = write(here, table("GPT-5.6-Sol"))
    _, out, _ = run("budget", name, "--json")
    _, summary, _ = run("budget", "--pairs", "0:6557,1:2417,2:26", *SUMMARY, "--json")
    found, expected = json.loads(out), json.loads(summary)
    for key in (
        "planning",
        "certified",
        "certified_tighter",
        "lattice",
        "simultaneous",
        "joint",
        "hoeffding",
    ):
        assert found[key] == expected[key]
    assert (found["papers"], found["pilot"], found["dropped"]) == (200, 10, 0)


def test_three_models_are_nested(run, here):
    """Each model under its name, all covered by the simultaneous budget; printed numbers of each."""
    name = write(here, table(*MODELS))
    _, out, _ = run("measure", name, "--table", "repeatability", "--table", "budget", "--json")
    printed = json.loads(out)["configurations"]
    assert list(printed) == sorted(MODELS)
    for model, sd, identical, agreement, budgets in (
        ("GPT-5.6-Sol", 0.374, 60, 72.86, (12, 33, 39, 51)),
        ("GPT-6-Luna", 0.386, 65, 72.36, (12, 35, 40, 52)),
        ("GPT-6-Sol", 0.272, 113, 85.19, (6, 24, 29, 39)),
    ):
        own = printed[model]
        assert round(cell(own, "repeatability", "all", "within_sd")["value"], 3) == sd
        assert round(200 * cell(own, "repeatability", "all", "identical")["value"]) == identical
        assert round(100 * cell(own, "repeatability", "all", "agreement")["value"], 2) == agreement
        names = ("planning", "certified", "simultaneous", "joint")
        found = [cell(own, "budget", "tolerance 0.5", column)["value"] for column in names]
        assert tuple(found) == budgets


def test_success_targets_and_halves(run, here):
    """Table S17 for GPT-5.6-Sol at both tolerances."""
    name = write(here, table("GPT-5.6-Sol"))
    _, out, _ = run("measure", name, "--table", "budget", "--json")
    printed = json.loads(out)
    for tolerance, certified in (("0.5", (9, 17, 33, 165)), ("0.25", (33, 66, 132, 659))):
        rows = [f"tolerance {tolerance}, success {share}%" for share in (80, 90, 95, 99)]
        assert tuple(cell(printed, "budget", row, "certified")["value"] for row in rows) == certified


def test_json_has_the_public_shape(run, here):
    """Tables, cells, notes; what was left out and why; null for what is not defined."""
    name = write(here, "paper,round,score\n" + small(papers=4))
    code, out, err = run("measure", name, "--json")
    printed = json.loads(out)
    assert (code, err) == (0, "")
    assert set(printed) == {"tables", "unused", "notes", "left_out"}
    for made in printed["tables"].values():
        assert set(made) == {"cells", "notes"}
        for each in made["cells"]:
            assert set(each) == {"row", "column", "value", "low", "high", "n", "dropped"}
    assert printed["left_out"]["cost"] == "needs the columns input_tokens, output_tokens"
    assert cell(printed, "repeatability", "all", "within_sd")["low"] is None
    assert "no interval: too few papers: all." in printed["tables"]["repeatability"]["notes"]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("paper,round,score\na,1,5\n", ()),
        ("paper,round,score\na,1,5\na,2,6\n", ()),
        ("paper,round,score\na,1,5\nb,1,6\nc,1,7\n", ()),
        ("paper,round,score\n" + small().replace(",5\n", ",4\n").replace(",6\n", ",4\n"), ()),
        ("paper,round,score,human,accepted\n" + small(extra=",5,1"), ()),
        ("paper,round,score,human,accepted\n" + small(extra=",,"), ()),
        ("paper,round,score\n" + small() + "p9,1,5\np9,7,6\n", ()),
        ("paper,round,score\n" + small(), ("--scale", 0, 100)),
        ("paper,round,score\n" + small(), ("--scale", -1.5, 10.5, "--percentile")),
        ("paper,round,score\n" + small(papers=40, rounds=2), ("--tolerance", 1e6, "--tolerance", 1e-6)),
    ],
)
def test_nothing_prints_nan(run, here, content, options):
    """One paper, one round, equal scores, gaps, other scales: a value, a dash or null."""
    name = write(here, content)
    code, out, _ = run("measure", name, *options, "--json")
    assert code == 0

    def refuse(constant):
        raise AssertionError(constant)

    json.loads(out, parse_constant=refuse)
    for form in ((), ("--csv",), ("--latex",)):
        code, out, err = run("measure", name, *options, *form)
        assert code == 0
        assert not re.search(r"\b(nan|inf)\b", out + err, re.IGNORECASE)


BAD = {
    "an empty file": ("measure s.csv", "", "no column paper or score"),
    "a header alone": ("measure s.csv", "paper,score\n", "no row can be used"),
    "no scores": ("measure s.csv", "paper,score\na,\n", "no score (1 row: 2)"),
    "all off the scale": ("measure s.csv", "paper,score\na,11\n", "score off the scale 1 to 10"),
    "a column twice": ("measure s.csv", "paper,score,score\na,5,6\n", "two columns are called 'score'"),
    "an open quote": ("measure s.csv", 'paper,score\n"a,5\n', "unexpected end of data"),
    "no such file": ("measure t.csv", "", "no such file"),
    "no file at all": ("measure", "", "Missing argument 'FILE...'"),
    "a folder": ("measure .", "", "this folder holds no study.db"),
    "a file twice": ("measure s.csv ./s.csv", "paper,score\na,5\n", "a file is named twice"),
    "an unknown table": ("measure s.csv --table x", "paper,score\na,5\n", "no table is called 'x'"),
    "a table that cannot be": (
        "measure s.csv --table cost",
        "paper,score\na,5\n",
        "cost is left out: it needs the columns input_tokens, output_tokens",
    ),
    "two formats": ("measure s.csv --csv --latex", "paper,score\na,5\n", "several formats at once"),
    "a scale of NaN": ("measure s.csv --scale nan 10", "", "'nan' is no finite number"),
    "an endless scale": ("measure s.csv --scale 1 inf", "", "'inf' is no finite number"),
    "a scale upside down": ("measure s.csv --scale 10 1", "", "10 is not below 1"),
    "a scale of one point": ("budget s.csv --scale 5 5", "", "5 is not below 5"),
    "no tolerance": ("measure s.csv --tolerance 0", "", "'0' is not from 1e-06 to 1e+06"),
    "a tolerance of NaN": ("budget s.csv --tolerance nan", "", "'nan' is no finite number"),
    "a negative seed": ("measure s.csv --seed -1", "", "-1 is not in the range"),
    "one price": ("measure s.csv --price 4", "", "no price: '4' has 1 part; IN,OUT[,CACHED"),
    "five prices": ("measure s.csv --price 4,20,0.4,5,1", "", "no price: '4,20,0.4,5,1' has 5 parts"),
    "a price of NaN": ("measure s.csv --price 4,20,nan,5", "", "'nan' in '4,20,nan,5' is no amount of USD"),
    "a negative price": ("measure s.csv --price=-4,0,5,20", "", "'-4' in '-4,0,5,20' is no amount of USD"),
    "sure success": ("budget s.csv --success 1", "", "'1' is not between 0 and 1"),
    "confidence of NaN": ("budget s.csv --confidence nan", "", "'nan' is no finite number"),
    "a variance of NaN": ("budget --variance nan --papers 2 --pilot 2", "", "'nan' is no variance"),
    "an endless variance": ("budget --variance inf --papers 2 --pilot 2", "", "'inf' is no variance"),
    "a huge variance": ("budget --variance 1e999999999 --papers 2 --pilot 2", "", "is no variance"),
    "a tiny variance": ("budget --variance 1e-999999999 --papers 2 --pilot 2", "", "is no variance"),
    "a negative variance": ("budget --variance=-1 --papers 2 --pilot 2", "", "variance -1.0"),
    "an impossible variance": ("budget --variance 41 --papers 2 --pilot 2", "", "variance 41.0"),
    "pairs of NaN": ("budget --pairs nan:1 --papers 1 --pilot 2", "", "'nan:1' is no list"),
    "NaN pairs": ("budget --pairs 0:nan --papers 1 --pilot 2", "", "'0:nan' is no list"),
    "negative pairs": ("budget --pairs 0:2,1:-1 --papers 1 --pilot 2", "", "is no list"),
    "a difference twice": ("budget --pairs 0:1,0.0:1 --papers 2 --pilot 2", "", "is no list"),
    "pairs off the scale": ("budget --pairs 20:1 --papers 1 --pilot 2", "", "differences [20.0]"),
    "pairs too few": (
        "budget --pairs 0:1 --papers 2 --pilot 2",
        "",
        "1 score pair; 2 papers give 2, of 2 reviews each",
    ),
    "no size": ("budget --variance 0.1", "", "a summary needs its size"),
    "no pilot": ("budget", "", "one pilot is needed"),
    "two pilots": ("budget s.csv --variance 1", "", "one pilot is needed"),
    "a size with scores": ("budget s.csv --papers 3", "paper,score\na,5\n", "speak of a summary"),
    "auxiliary calls alone": (
        "budget s.csv",
        "paper,role,p5\na,auxiliary,1\n",
        "no row has a score",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_2(run, here, case):
    """What is wrong, as one line on stderr and as JSON; nothing else is printed."""
    command, content, says = BAD[case]
    write(here, content)
    code, out, err = run(*command.split())
    assert (code, out) == (2, "")
    assert says in err
    assert err.startswith("rereview: ")
    assert err.count("\n") == 1
    code, out, _ = run(*command.split(), "--json")
    assert code == 2
    assert set(json.loads(out)["error"]) == {"code", "what", "where", "expected", "resume"}


def test_rows_that_are_not_used_are_told(run, here):
    """On stderr beside the tables, and in the JSON."""
    name = write(here, "paper,round,score\n" + small() + "p0,1,5\np0,9,11\n,1,5\n")
    _, out, err = run("measure", name)
    for line in (
        "s.csv: score off the scale 1 to 10 (1 row: 35)",
        "s.csv: no paper (1 row: 36)",
        "s.csv: the same round again; the first is used (1 row: 34)",
    ):
        assert line in err
        assert line in json.loads(run("measure", name, "--json")[1])["unused"]
    assert "repeatability: " in out
    assert "off the scale" in run("budget", name)[2]


@pytest.mark.parametrize(
    "content",
    [
        "\ufeffpaper;round;score\na;1;5,5\na;2;6\n",
        'paper,round,score\n"a",1,"5.5: between"\n"a",2,"6: Marginally above"\n',
        "Paper ID,Run,Overall Rating\na,1,5.5\na,2,6\n",
    ],
)
def test_what_other_programs_write_is_read(run, here, content):
    """Marks of order, semicolons, words beside the score, other names."""
    _, out, _ = run("measure", write(here, content), "--table", "concentration", "--json")
    assert cell(json.loads(out), "concentration", "all", "between")["value"] == 1
    assert cell(json.loads(out), "concentration", "all", "6")["value"] == 1


def test_json_lines_with_nulls(run, here):
    """A null is a gap, and the row is listed."""
    rows = [{"paper": i // 2, "round": i % 2, "score": None if i == 3 else 5 + i % 2} for i in range(20)]
    name = write(here, "\n".join(map(json.dumps, rows)), "s.jsonl")
    _, out, _ = run("measure", name, "--table", "repeatability", "--json")
    assert cell(json.loads(out), "repeatability", "all", "within_sd")["dropped"] == 1
    assert json.loads(out)["unused"] == ["s.jsonl: no score (1 row: 4)"]


def test_an_empty_study_is_refused(run, here):
    """A folder with a ledger and no review."""
    Store(here / "study").close()
    code, _, err = run("measure", "study")
    assert code == 2
    assert "study: nothing has been reviewed yet; a study with reviews" in err


def hostile(here):
    lines = [
        f'"{name}",{t},{4 + (i + t) % 3},"{name}"'
        for i, name in enumerate(each.replace('"', '""') for each in HOSTILE)
        for t in range(4)
    ]
    return write(here, "paper,round,score,group\n" + "\n".join(lines) + "\n")


def test_csv_holds_no_formula(run, here):
    """Text of the file that a spreadsheet would run is quoted; numbers stay numbers."""
    _, out, _ = run("measure", hostile(here), "--table", "repeatability", "--table", "batches", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert any(row["row"] == "'=cmd|' /C calc'!A0" for row in rows)
    for row in rows:
        for key in ("configuration", "table", "row", "column"):
            assert not row[key].startswith(("=", "+", "-", "@", "\t", "\r"))
        assert row["value"] == "" or float(row["value"]) == float(row["value"])


def test_latex_holds_no_command_of_the_file(run, here):
    """Every special character is escaped; a row cannot be an argument of the line end before it."""
    _, out, _ = run("measure", hostile(here), "--table", "repeatability", "--latex")
    body = out[out.index("\\midrule") : out.index("\\bottomrule")]
    assert "\\input" not in out
    assert r"\textbackslash{}input\{/etc/passwd\}" in body
    assert r"a \& b\_\{c\}\textasciicircum{}2 \textasciitilde{} \# \$x\$ \%" in body
    rows = [line for line in body.splitlines()[1:] if line]
    assert not any(line.startswith(("[", "*")) for line in rows)
    assert len({len(re.findall(r"(?<!\\)&", line)) for line in rows}) == 1
    assert "\x1b" not in out


def test_the_screen_is_not_moved(run, here):
    """Control characters of a file are not printed."""
    _, out, err = run("measure", hostile(here), "--table", "repeatability")
    assert "\x1b" not in out + err


def test_percentile_and_seed(run, here):
    """The same seed gives the same bytes; another seed other limits; without it Student limits."""
    name = write(here, table("GPT-5.6-Sol"))
    options = ("--table", "repeatability", "--json", "--percentile")
    one, same = run("measure", name, *options)[1], run("measure", name, *options)[1]
    other = run("measure", name, *options, "--seed", 1)[1]
    assert one == same
    assert one != other
    assert run("measure", name, *options[:-1])[1] not in (one, other)


def test_prices_as_in_the_paper(run, here):
    """4, .4, 5 and 20 USD a million, C + W > I listed and no crash (E.9)."""
    content = (
        "paper,round,score,input_tokens,cached_tokens,cache_write_tokens,output_tokens\n"
        "a,1,5,20000,0,15000,900\na,2,5,20000,15000,0,900\nb,1,5,100,90,20,1\n"
    )
    name = write(here, content)
    _, out, _ = run("measure", name, "--table", "cost", "--price", "4,20,0.4,5", "--json")
    printed = json.loads(out)
    assert cell(printed, "cost", "first call of a paper", "usd")["value"] == 0.113
    assert cell(printed, "cost", "later calls", "usd")["value"] == 0.044
    assert cell(printed, "cost", "all", "calls")["value"] == 2
    assert cell(printed, "cost", "all", "calls")["dropped"] == 1
    assert any("b, round 1: 90 cached and 20 written" in note for note in printed["tables"]["cost"]["notes"])


@pytest.mark.parametrize(("price", "usd"), [("4,20", 0.098), ("4,20,0.4", 0.044)])
def test_a_cache_of_unknown_price_costs_as_ordinary_input(run, here, price, usd):
    """`IN,OUT` and `IN,OUT,CACHED`, as `rereview review` takes them."""
    content = (
        "paper,round,score,input_tokens,cached_tokens,cache_write_tokens,output_tokens\n"
        "a,1,5,20000,15000,0,900\n"
    )
    _, out, _ = run("measure", write(here, content), "--table", "cost", "--price", price, "--json")
    assert cell(json.loads(out), "cost", "all", "usd")["value"] == usd


def test_every_table_says_what_it_is_of_and_in_which_unit(run, here):
    """Points or squared points where a column has a unit, and the sample of the table."""
    name = write(here, "paper,round,score,human,accepted\n" + small(extra=",5,1"))
    found = json.loads(run("measure", name, "--json")[1])["tables"]
    units = {
        "repeatability": "in points",
        "variance-quantiles": "in squared points",
        "batches": "in points",
        "human": "in points",
        "budget": "in squared points",
    }
    assert set(units) <= set(found)
    for table, unit in units.items():
        assert any(unit in note for note in found[table]["notes"]), table
    for table, content in found.items():
        assert table == "samples" or any("Sample: " in note for note in content["notes"]), table
