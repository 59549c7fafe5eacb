"""The card of a model: what it does, learnt from, scores, and the command that made it."""

from __future__ import annotations

from typing import Any


def model_card(meta: dict[str, Any]) -> str:
    """Markdown made of a model.toml, nothing else."""
    lines = [f"# {', '.join(meta['tasks']) or 'word table'}", ""]
    for note in meta.get("notes", ()):
        lines += [note, ""]
    lines += _scores(meta.get("scores", {})) + _data(meta.get("data", {}))
    origin = meta.get("made", {})
    if origin:
        versions = ", ".join(f"{k} {origin[k]}" for k in ("senna", "torch", "numpy") if k in origin)
        lines += ["## Made by", "", f"    {origin.get('command', '')}", ""]
        if "epochs" in origin:
            best = f"Best of {origin['epochs']} epochs: {origin.get('best_epoch')}."
            lines += [f"{best} {versions}.", ""]
        if "decoding" in origin:
            lines += [f"Tags are found {origin['decoding']}.", ""]
        lines += _inputs(origin.get("inputs", {}))
    return "\n".join(lines)


def _inputs(inputs: dict[str, str]) -> list[str]:
    if not inputs:
        return []
    rows = [f"| {name} | {digest} |" for name, digest in inputs.items()]
    return ["## What went in", "", "| file or folder | sha256 |", "|---|---|", *rows, ""]


def _scores(scores: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for task, table in scores.items():
        lines += [f"## Scores, {task} ({table['measure']})", "", "| set | score |", "|---|---:|"]
        lines += [f"| {name} | {v:.2f} |" for name, v in table.items() if name != "measure"]
        lines.append("")
    return lines


def _data(data: dict[str, Any]) -> list[str]:
    lines = ["## Learnt from", ""] if data else []
    for name, entry in data.items():
        splits = ", ".join(dict.fromkeys(entry["splits"]))
        licence = entry.get("licence", "a file of its maker's own")
        lines.append(f"* **{name}** ({splits}): {licence}. {entry.get('attribution', '')}".rstrip())
    return [*lines, ""] if data else []
