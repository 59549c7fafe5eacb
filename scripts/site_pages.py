"""Add the pages that are outside docs/ to the site, and lead its links there (a hook of mkdocs)."""

import re
from pathlib import Path
from posixpath import dirname, normpath, relpath
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
# Files of the repository by their names on the site.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "tests/quality/README.md": "quality.md",
    "senna/models/ATTRIBUTION.md": "attribution.md",
    "CITATION.cff": "CITATION.cff",
    "LICENSE": "LICENSE.txt",
    "senna/models/LICENSE": "models-LICENSE.txt",
    "data/corpora.toml": "corpora.toml",
    "recipe/open_sources/sources.toml": "sources.toml",
}
LINK = re.compile(r"(\]\()(?!\w+:|#)([^)#\s]+)")


def on_files(files: Any, config: Any) -> Any:
    """Add them to the files of docs/."""
    for source, name in PAGES.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make links between pages those of the site."""
    names = {name: source for source, name in PAGES.items()}
    here = names.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def moved(link: re.Match[str]) -> str:
        target = normpath(f"{dirname(here)}/{link[2]}").lstrip("/")
        name = PAGES.get(target, target.removeprefix("docs/"))
        return link[1] + relpath(name, dirname(page.file.src_uri) or ".")

    return LINK.sub(moved, markdown)
