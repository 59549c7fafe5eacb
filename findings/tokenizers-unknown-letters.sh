#!/usr/bin/env bash
# tokenizers 0.23.3: a letter that was not in the training text, and no unknown token.
#
# A good guess is that each kind of model refuses the text, or keeps the letter in some way. Seen: WordLevel,
# WordPiece and Unigram raise an error; BPE leaves the letter out without a message. A word of such letters has
# no token at all, so that labels given to tokens by their number move to other words; word_ids shows the hole.
# With BPE(unk_token=...) there is one token for each such letter.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq tokenizers==0.23.3 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from tokenizers import Tokenizer, models, trainers

words = ["ab", "xy", "ba"]
kinds = {
    "BPE": models.BPE(),
    "WordLevel": models.WordLevel({"ab": 0, "ba": 1}),
    "WordPiece": models.WordPiece({"ab": 0, "ba": 1}),
    "Unigram": models.Unigram([("ab", -1.0), ("ba", -1.0)]),
}
found = {}
for name, model in kinds.items():
    tokenizer = Tokenizer(model)
    if name == "BPE":
        tokenizer.train_from_iterator(["ab", "ba"], trainers.BpeTrainer(show_progress=False))
    try:
        encoding = tokenizer.encode(words, is_pretokenized=True)
        found[name] = encoding.tokens, encoding.word_ids
    except Exception as error:
        found[name] = str(error)
    print(name, found[name])
assert found["BPE"] == (["ab", "ba"], [0, 2])
for name in ("WordLevel", "WordPiece", "Unigram"):
    assert "unk" in found[name].lower()

tokenizer = Tokenizer(models.BPE({"a": 0, "?": 1}, [], unk_token="?"))
assert tokenizer.encode(["a", "xy", "a"], is_pretokenized=True).tokens == ["a", "?", "?", "a"]
END
