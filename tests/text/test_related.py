"""Passages about the same things."""

import itertools
import random
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rereview.text.probes import probes
from rereview.text.related import related, related_spans
from rereview.types.manuscript import Block, Manuscript, Span

FILLER = "we walked along the shore and wrote down what the gulls did before the tide came in again. "


def finds(text, other, ordinary=("the", "in", "we", "results")):
    """Whether anything that the text names stands in the other."""
    return any(re.search(probe, other) for probe in probes(text, ordinary))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (r"$W_{ij}$ decays", r"the weight $W_{ ij }$ of"),
        (r"$x_{t+1} = 0$", r"so that $x_{t + 1}$ grows"),
        (r"at $u_t$", r"every $u_{t}$ is"),
        (r"of $u_{t}$", r"every $u_t$ is"),
        (r"$\hat{\theta}_n$", r"where $\hat{\theta}_n$ minimises"),
        (r"$\kappa > 3$", r"we take $\kappa$ large"),
        (r"the norm in $\Hdiv$", r"functions in $\Hdiv$ and"),
        (r"$k = 3$ clusters", r"with $k=5$"),
        (r"$0 < w < L/2$", r"a window $w \le 7$"),
        (r"by \eqref{eq:heat}", r"\begin{equation}\label{eq:heat}"),
        (r"\label{lem:gap}", r"follows from Lemma~\ref{lem:gap}"),
        ("as in Theorem 2", "Theorem~2 gives"),
        ("see Table 3 for", "(Table 3)"),
        ("trained on ImageNet again", "of ImageNet images"),
        ("the Ornstein-Uhlenbeck Process was", "an Ornstein-Uhlenbeck\nProcess with"),
        ("measured in Lake Balaton", "Lake Balaton is shallow"),
        ("an RCT of", "the RCT had"),
        ("Results for Nairobi differ", "in Nairobi"),
    ],
)
def test_things_that_are_named_are_found(text, other):
    """Commands, scripted identifiers, assignments, references, numbered things, names."""
    assert finds(text, other)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (r"$x_t$", r"the state $x_{t+1}$"),
        (r"$x_t$", r"the flux $x_{ts}$"),
        (r"$W_{ij}$", r"the weight $V_{ij}$"),
        (r"$\sum_{i=1}^n i$", r"$\sum_{i=1}^n i$"),
        (r"$\frac{1}{2}$ and $\leq$", r"$\frac{1}{2} \leq 1$"),
        (r"$k = 3$", r"the task $k$ is"),
        (r"$k = 3$", r"the quark $uk = 3$"),
        (r"Theorem 2", r"Theorem 2.1"),
        (r"Table 1", r"Table 12"),
        (r"\ref{a}", r"\ref{ab}"),
        ("The gulls flew", "The gulls flew"),
        ("We saw results. Results were few", "Results were few"),
        (r"\begin{itemize}", r"\begin{itemize}"),
        ("as I said", "I said"),
    ],
)
def test_what_names_nothing_or_another_thing_is_not_found(text, other):
    """Operators, layout, longer names, words that only begin a sentence."""
    assert not finds(text, other)


def test_rare_things_go_before_common_ones():
    """A thing that is named everywhere does not crowd out the one place that matters."""
    common = (FILLER * 3 + r"Here is $\alpha$. ") * 9
    paper = common + FILLER * 4 + r"We set $\beta = 0.2$ for all. " + FILLER * 4
    found = related(r"$\alpha + \beta$", [paper], limit=1)
    assert len(found) == 1
    assert r"$\beta = 0.2$" in found[0].text


def test_passages_reach_a_hundred_characters_to_each_side():
    """No more of the paper is shown, and no more than five of many places."""
    paper = (FILLER * 4 + "Fermi Level. ") * 12
    found = related("The Fermi Level is fixed", [paper])
    assert len(found) == 5
    for each in found:
        assert each.text == paper[each.start : each.end]
        assert len(each.text) <= 200 + len("Fermi Level")


def test_neighbours_are_one_passage():
    """Two hits whose surroundings overlap without lying in each other's are merged."""
    paper = FILLER * 3 + "Fermi Level" + " x" * 65 + " Fermi Level " + FILLER * 3
    (found,) = related("the Fermi Level", [paper])
    assert found.text.count("Fermi Level") == 2


def test_the_passage_itself_is_no_evidence():
    """Nothing of it is shown, not even where a neighbour's surroundings reach into it."""
    paper = FILLER + r"first $\xi_0 = 1$. " + r"OWN $\xi_0 = 2$ OWN" + r" last $\xi_0$." + FILLER
    start = paper.index("OWN")
    end = paper.rindex("OWN") + 3
    found = related(paper[start:end], [paper], own=(0, start, end))
    assert len(found) == 2
    assert not any("OWN" in each.text for each in found)


def test_nothing_named_nothing_found():
    """Plain words lead nowhere, which is not an error."""
    assert related("nothing of note", [FILLER * 5]) == ()
    assert related("", []) == ()


def test_blocks_are_not_run_together():
    """A passage of a manuscript stays in its block and is given as its span."""
    texts = ("Lake Balaton", "is shallow", "They sailed on Lake Balaton in May")
    blocks = tuple(Block(id=f"b{i}", text=text, kind="paragraph") for i, text in enumerate(texts))
    paper = Manuscript(id="m", paper_id="p", title="", format="markdown", blocks=blocks)
    found = related_spans("on Lake Balaton", paper, own=Span(block_id="b2", start=12, end=27))
    assert found == (Span(block_id="b0", start=0, end=12),)


@given(st.text(r"\{}_^$ab=<1 ARx.", max_size=60), st.text(r"\{}_^$ab=<1 ARx.", max_size=120))
def test_any_text_gives_passages_that_stand_where_they_say(text, paper):
    """Whatever the braces: no error, ascending, apart, verbatim."""
    found = related(text, [paper, paper[::-1]], reach=5)
    for each in found:
        assert each.text == [paper, paper[::-1]][each.piece][each.start : each.end]
    for one, other in itertools.pairwise(found):
        assert (one.piece, one.end) < (other.piece, other.start + 1)


def test_a_long_paper_is_searched_in_time():
    """A hundred names in 200 000 characters: far below a second for one passage of ordinary length."""
    rng = random.Random(5)
    names = [f"$\\phi_{{{i}}}$" for i in range(60)] + [f"Region {i}" for i in range(60)]
    paper = " ".join(rng.choice(names) if rng.random() < 0.2 else FILLER[:30] for _ in range(8000))
    started = time.process_time()
    related(" ".join(names[50:70]), [paper])
    assert time.process_time() - started < 2
