"""The component in spaCy itself: what it writes, in spaCy's tokens."""

import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

import senna
from senna.annotation.dependencies import Arc
from senna.annotation.trees import numbered
from senna.errors import SennaError
from senna.formats.brackets import read_trees
from senna.model.folder import model_path
from tests.clients.texts import LABELS, label_model

spacy = pytest.importorskip("spacy")
import senna.spacy  # noqa: E402  # makes the component known where the package is not installed

TEXT = "  Anna Weber flew to Lisbon. \n\n She bought Mr. Bo's well-known house there."


def loaded(**config: Any) -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe("senna", config=config)
    return nlp


@pytest.fixture(scope="module")
def nlp() -> Any:
    return loaded()


def words(doc: Any) -> list[list[str]]:
    return [[token.text for token in s if not token.is_space] for s in doc.sents]


def test_tags_are_those_of_the_same_words(nlp):
    doc = nlp(TEXT)
    tags = senna.load("pos").tag(words(doc))["pos"]
    assert len(tags) == 2
    assert [token.tag_ for token in doc if not token.is_space] == [*tags[0], *tags[1]]
    assert all(not token.tag_ for token in doc if token.is_space)
    assert doc[1].tag_ == "NNP"


def test_entities(nlp):
    doc = nlp(TEXT)
    found = [(span.text, span.label_) for span in doc.ents]
    assert found[:2] == [("Anna Weber", "PER"), ("Lisbon", "LOC")]
    assert doc.has_annotation("ENT_IOB")


def test_words_that_were_merged_before():
    nlp = spacy.blank("en")
    pattern = {"label": "PER", "pattern": "Marie Curie"}
    nlp.add_pipe("entity_ruler").add_patterns([pattern])
    nlp.add_pipe("merge_entities")
    nlp.add_pipe("senna")
    doc = nlp("Marie Curie was born in Warsaw.")
    roles = [(span.text, span.label_, doc[int(span.id_)].text) for span in doc.spans["srl"]]
    assert doc[0].text == "Marie Curie" and ("Marie Curie", "A1", "born") in roles


def test_documents_that_are_joined_keep_the_numbers_of_their_parts(nlp):
    """As docs/api.md says; a new version of spaCy may move them."""
    parts = [nlp("It rained."), nlp("Marie Curie was born in Warsaw.")]
    joined = spacy.tokens.Doc.from_docs(parts)
    numbers = [span.id_ for part in parts for span in part.spans["srl"]]
    assert numbers and [span.id_ for span in joined.spans["srl"]] == numbers


def test_span_groups_of_chunks_and_roles(nlp):
    doc = nlp(TEXT)
    assert ("Anna Weber", "NP") in [(span.text, span.label_) for span in doc.spans["chunk"]]
    roles = list(doc.spans["srl"])
    verbs = [span for span in roles if span.label_ == "V"]
    assert [span.text for span in verbs] == ["flew", "bought"]
    assert all(doc[int(span.id_)].text == span.text for span in verbs)
    own = {span.label_: span.text for span in roles if span.id_ == str(verbs[1].start)}
    assert own["A0"] == "She"


def test_many_documents_and_one(nlp):
    texts = [TEXT, "", " ", "Bo ran.", TEXT]
    for doc, text in zip(nlp.pipe(texts, batch_size=2), texts, strict=True):
        alone = nlp(text)
        assert doc.to_json() == alone.to_json()
        assert [s.label_ for s in doc.spans["srl"]] == [s.label_ for s in alone.spans["srl"]]


def test_sentences_of_the_document_are_kept():
    nlp = spacy.blank("en")
    nlp.add_pipe("senna", config={"tasks": "pos"})
    doc = spacy.tokens.Doc(nlp.vocab, ["Bo", "ran", "He", "sat"], sent_starts=[1, 0, 1, 0])
    assert words(nlp(doc)) == [["Bo", "ran"], ["He", "sat"]]


@pytest.mark.parametrize("overwrite", [None, False, True])
def test_what_other_components_set_stays_unless_with_overwrite(overwrite):
    config = {} if overwrite is None else {"overwrite": overwrite}
    nlp = loaded(tasks=["pos", "ner"], **config)
    doc = nlp.make_doc("Anna Weber flew to Lisbon.")
    doc[4].tag_ = "XX"
    doc.set_ents([spacy.tokens.Span(doc, 0, 1, label="GIRL")])
    tagged = nlp(doc)
    assert tagged[0].tag_ == "NNP"
    entities = [(s.text, s.label_) for s in tagged.ents]
    if overwrite:
        assert tagged[4].tag_ == "NNP"
        assert entities == [("Anna Weber", "PER"), ("Lisbon", "LOC")]
    else:
        assert tagged[4].tag_ == "XX"
        assert entities == [("Anna", "GIRL"), ("Lisbon", "LOC")]


def test_evaluation_counts_tags_and_entities():
    nlp = loaded(tasks=["pos", "ner"])
    gold = nlp("Anna Weber flew to Lisbon.")
    right = nlp.evaluate([spacy.training.Example(nlp.make_doc(gold.text), gold)])
    assert (right["tag_acc"], right["ents_f"]) == (1, 1)
    gold.set_ents([spacy.tokens.Span(gold, 4, 5, label="LOC")])
    assert nlp.evaluate([spacy.training.Example(nlp.make_doc(gold.text), gold)])["ents_p"] == 0.5


def test_phrases_of_ones_own():
    nlp = loaded(tasks=["ner"], gazetteer={"ORG": ["quxly frobs"]}, force=True)
    assert [(s.text, s.label_) for s in nlp("We met quxly frobs.").ents] == [("quxly frobs", "ORG")]


def test_a_pipeline_is_saved_and_loaded(nlp, tmp_path):
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert again(TEXT).to_json() == nlp(TEXT).to_json()


def test_a_saved_pipeline_has_its_own_model(tmp_path):
    shutil.copytree(model_path("ner"), tmp_path / "mine")
    meta = (tmp_path / "mine" / "model.toml").read_text(encoding="utf-8")
    base = str(model_path("ner").parent / "base")
    (tmp_path / "mine" / "model.toml").write_text(meta.replace("../base", base), encoding="utf-8")
    for model in (str(tmp_path / "mine"), {"ner": str(tmp_path / "mine")}):
        nlp = loaded(tasks=["ner"], model=model)
        found = nlp(TEXT).to_json()
        assert len(pickle.dumps(nlp.get_pipe("senna"))) < 2_000
        nlp.to_disk(tmp_path / "pipeline")
        (tmp_path / "mine").rename(tmp_path / "gone")
        copied = copy_of_pipeline(tmp_path)
        assert copied(TEXT).to_json() == found
        (tmp_path / "gone").rename(tmp_path / "mine")


def copy_of_pipeline(place: Path) -> Any:
    """A pipeline that is loaded in another folder."""
    shutil.rmtree(place / "elsewhere", ignore_errors=True)
    (place / "pipeline").rename(place / "elsewhere")
    return spacy.load(place / "elsewhere")


def test_the_document_is_kept_on_request():
    kept = loaded(tasks="pos,ner,srl,psg", document=True)
    doc = kept(TEXT)
    found = doc._.senna
    assert [span.text for span in found.spans("ner")] == [span.text for span in doc.ents]
    assert [frame.predicate.text for frame in found.frames] == ["flew", "bought"]
    assert found.sentences[1].tree.label == "TOP"
    assert [token.start for token in found.tokens] == [t.idx for t in doc if not t.is_space]
    again = spacy.tokens.Doc(kept.vocab).from_bytes(doc.to_bytes())
    assert again._.senna == found
    copied = pickle.loads(pickle.dumps(kept.get_pipe("senna")))
    assert copied(kept.make_doc(TEXT))._.senna == found
    with pytest.raises(SennaError, match=r'doc._.senna: .* config=\{"document": True\}'):
        _ = loaded(tasks="pos")(TEXT)._.senna
    assert len(kept("")._.senna) == 0


def test_scores_best_taggings_and_line_breaks():
    doc = loaded(tasks="chunk,ner,srl", scores=True, document=True)(TEXT)
    chunks, found = doc.spans["chunk"], doc._.senna
    assert chunks.attrs["scores"] == pytest.approx(
        [s.score for s in found.spans("chunk")], abs=1e-3
    )
    roles = doc.spans["srl"]
    assert len(roles.attrs["scores"]) == len(roles) and 0 < min(roles.attrs["scores"]) <= 1
    assert "scores" not in loaded(tasks="chunk")(TEXT).spans["chunk"].attrs
    best = loaded(tasks="pos", n_best=3, document=True)("Time flies.")._.senna.sentences[0]
    assert len(best.paths("pos")) == 3
    broken = {
        breaks: len(
            list(loaded(tasks="pos", line_breaks=breaks)("Time flies\nlike an arrow").sents)
        )
        for breaks in ("sentence", "space")
    }
    assert broken == {"sentence": 2, "space": 1}


def test_names_have_scores():
    doc = loaded(tasks="ner", scores=True, document=True)(TEXT)
    assert len(doc.ents) > 0
    names = [(s.start, s.end, s.score) for s in doc._.senna.spans("ner")]
    found = [(ent.start_char, ent.end_char, ent._.score) for ent in doc.ents]
    assert found == [(*places, pytest.approx(score, abs=1e-3)) for *places, score in names]
    assert {ent._.score for ent in loaded(tasks="ner")(TEXT).ents} == {None}
    kept = spacy.blank("en")(TEXT)
    kept.ents = [spacy.tokens.Span(kept, doc.ents[0].start, doc.ents[0].end, "OTHER")]
    assert loaded(tasks="ner", scores=True).get_pipe("senna")(kept).ents[0]._.score is None


def test_the_document_is_read_once(monkeypatch):
    doc = loaded(tasks="ner", document=True)("Anna ran.")
    assert doc._.senna is doc._.senna
    other = spacy.tokens.Doc(doc.vocab).from_bytes(doc.to_bytes())
    assert other._.senna == doc._.senna


def test_labels_of_the_component(nlp):
    labels = nlp.pipe_labels["senna"]
    assert {"PER", "NNP", "NP", "A0"} <= {*labels} and "O" not in labels


def test_tasks_are_chosen():
    doc = loaded(tasks="chunk")("Anna ran.")
    assert set(doc.spans) == {"chunk"}
    assert not doc.has_annotation("TAG")
    with pytest.raises(SennaError, match="unknown task 'colour'"):
        loaded(tasks=["colour"])


def test_constituents_of_a_tree(monkeypatch):
    nlp = loaded(tasks="pos")
    tree = next(read_trees("(S (NP (PRP She)) (VP (VBD saw) (NP (DT the) (NN sea))))", ""))
    pipeline = nlp.get_pipe("senna").pipeline
    monkeypatch.setattr(pipeline, "annotate", lambda forms: {"psg": [numbered(tree)]})
    doc = nlp("  She saw the sea")
    assert [(span.label_, span.text) for span in doc.spans["psg"]] == [
        ("S", "She saw the sea"), ("NP", "She"), ("VP", "saw the sea"), ("NP", "the sea")
    ]  # fmt: skip


def test_labels_are_categories(tmp_path):
    pytest.importorskip("torch")
    model = label_model(tmp_path)
    nlp = loaded(model=str(model))
    doc = nlp("Anna ran. Why did they?")
    document = senna.load(model=model, scores=True)(words(doc))
    means = [sum(s.label.scores[name] for s in document) / 2 for name in LABELS]
    assert doc.cats == pytest.approx(dict(zip(LABELS, means, strict=True)))
    kept = spacy.blank("en")("Anna ran.")
    kept.cats = {"good": 2.0, "other": 1.0}
    cats = nlp.get_pipe("senna")(kept).cats
    assert (cats["good"], cats["other"]) == (2.0, 1.0) and set(cats) == {*LABELS, "other"}
    assert nlp("").cats == {}


WORDS = "Anna bought the old house of Mr. Bo .".split()
ARCS = "2:nsubj 0:root 5:det 5:amod 2:obj 8:case 8:nmod:desc 5:nmod 2:punct".split()
FOUND: dict[str, list[str]] = {
    "pos": "NNP VBD DT JJ NN IN NNP NNP .".split(),
    "lemma": "Anna buy the old house of Mr. Bo .".split(),
    "upos": "PROPN VERB DET ADJ NOUN ADP NOUN PROPN PUNCT".split(),
    "feats": ["Number=Sing", "Mood=Ind|Tense=Past", *["_"] * 7],
}


@pytest.fixture
def parsing(monkeypatch) -> Any:
    """A pipeline whose sentences all have the same words and the same tree."""
    nlp = loaded(tasks="pos")
    arcs = [Arc(int(head), relation) for head, _, relation in (a.partition(":") for a in ARCS)]
    pipeline = nlp.get_pipe("senna").pipeline

    def annotate(forms: Any) -> dict[str, list[Any]]:
        return {
            **{task: [tags] * len(forms) for task, tags in FOUND.items()},
            "dep": [arcs] * len(forms),
        }

    monkeypatch.setattr(pipeline, "annotate", annotate)
    monkeypatch.setattr(pipeline, "tasks", (*FOUND, "dep"))
    return nlp


TEXT_OF_TREES = "  Anna bought the old house of Mr. Bo .\n\n Anna bought the old house of Mr. Bo."


def test_lemmas_tags_and_trees(parsing):
    doc = parsing(TEXT_OF_TREES)
    _, second = doc.sents
    words = [token for token in second if not token.is_space]
    assert [token.text for token in words] == WORDS
    assert [token.lemma_ for token in words] == FOUND["lemma"]
    assert [token.pos_ for token in words] == FOUND["upos"]
    assert [token.tag_ for token in words] == FOUND["pos"]
    assert words[1].morph.get("Tense") == ["Past"] and not words[2].morph
    assert [token.dep_ for token in words][:3] == ["nsubj", "ROOT", "det"]
    assert second.root == words[1]
    assert words[0].head == words[1] and words[7].head == words[4]
    assert [token.text for token in words[4].subtree] == "the old house of Mr. Bo".split()
    assert {token.head.text for token in doc if token.is_space} <= {"Anna", ".", "bought"}
    assert all(doc.has_annotation(name) for name in ("DEP", "POS", "LEMMA", "MORPH", "SENT_START"))


def test_noun_chunks_are_by_universal_relations(parsing):
    doc = parsing(TEXT_OF_TREES)
    texts = [span.text for span in doc.noun_chunks]
    assert texts == ["Anna", "the old house", "Mr. Bo"] * 2
    assert [span.text for span in doc[3:6].noun_chunks] == ["the old house"]


@pytest.mark.parametrize("overwrite", [False, True])
def test_lemmas_and_trees_of_other_components_stay(parsing, overwrite):
    component = parsing.get_pipe("senna")
    component.overwrite = overwrite
    doc = spacy.tokens.Doc(
        parsing.vocab, WORDS, lemmas=["x"] * 9, heads=[0] * 9, deps=["ROOT", *["dep"] * 8]
    )
    found = component(doc)
    assert (found[1].lemma_, found[1].dep_) == (("buy", "ROOT") if overwrite else ("x", "dep"))
    assert found[0].pos_ == "PROPN"


def test_evaluation_counts_lemmas_and_trees(parsing):
    gold = parsing(" ".join(WORDS))
    scores = parsing.evaluate([spacy.training.Example(parsing.make_doc(gold.text), gold)])
    assert [scores[name] for name in ("lemma_acc", "pos_acc", "dep_uas", "dep_las")] == [1] * 4
    assert "ents_f" not in scores or not scores["ents_f"]


def test_a_document_of_white_space_has_no_tree(parsing):
    assert not parsing(" \n ").has_annotation("DEP")
