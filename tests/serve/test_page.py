"""The page: its parts, and in a real browser, where there is one."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from tests.serve.conftest import NAME, http

from senna.drawing.html import style  # isort: skip  # after what it needs was found
from senna.extras.glossary import meaning  # isort: skip
from senna.serve.requests import OPTIONS  # isort: skip
from senna.serve.page import PAGE  # isort: skip

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
DRIVER = shutil.which("chromedriver")
TEXT = "Anna Weber flew to Rome. She met Bob, who gave her a book."
DOUBTFUL = "Rose met Jordan in Paris Hilton."
ASKS = "Network.requestWillBeSent"  # an event of the browser
VIEWS = ["names", "roles", "tree", "table", "confidence", "compare"]


# --------------------------------------------------------------------------- without a browser


def drawn(server: str, **fields: Any) -> str:
    answer = http.post(f"{server}/view", json=fields, headers={"origin": server})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return str(answer.text)


def test_its_files_are_small():
    assert len(PAGE.encode()) < 60_000
    assert style() in PAGE
    assert not re.search(r"(src|href)=\"(?!data:,|api\")", PAGE)


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_draws_its_sentences(server, view):
    page = drawn(server, text=TEXT, view=view, model="senna", other=NAME)
    assert page.count("<article") == 2
    shown = {
        "names": "<mark", "roles": "<svg", "tree": "<svg", "table": "<table>",
        "confidence": "<small>", "compare": "<svg",
    }  # fmt: skip
    assert shown[view] in page


def test_each_view_has_a_line_and_tags_have_meanings(server):
    page = http.get(server).text
    assert page.count("<small>") == len(VIEWS) + 1  # and of dependencies
    assert page.count("<article") == 2 and "Marie Curie" in page
    table = drawn(server, text=TEXT, view="table", model="senna")
    assert re.findall(r'<th scope="col">(\w*)</th>', table)[:9] == [
        "", "word", "start", "pos", "lemma", "upos", "chunk", "ner", "srl",
    ]  # fmt: skip
    assert '<td title="personal pronoun">PRP</td>' in table
    assert '<td title="subject">nsubj</td>' in table
    marked = drawn(server, text=TEXT, view="roles", model="senna")
    assert f"<title>{meaning('A0', 'srl')}</title>" in marked
    assert 'title="person"' in drawn(server, text=TEXT, view="names", model="senna")
    doubts = unescape(drawn(server, text=DOUBTFUL, view="confidence", model="senna"))
    assert re.search(r"names: .* probability of 0\.\d\d; the next best \(0\.\d\d\) have", doubts)


def test_text_and_names_of_models_are_escaped(server):
    text = '</textarea><script>alert(1)</script> & "Bob\x00\x1b'
    for view in VIEWS:
        page = drawn(server, text=text, view=view, model="senna", other=NAME)
        assert "<script" not in page and "\x1b" not in page and "\x00" not in page
    page = http.get(server).text
    assert page.count("<script") == page.count("</textarea>") == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"text": "Bob.", "model": "no<such"}', "model = 'no<such' is not one of senna"),
        ('{"view": "no"}', "view = 'no' is not one of names"),
        ('{"view": ["names"]}', "view = ['names'] is not one of names"),
        ('{"view": "compare", "other": "none"}', "other = 'none' is not one of senna"),
        ('{"text": 3}', "are texts"),
        ("text=Bob", "not valid JSON"),
    ],
)
def test_an_error_is_one_line(server, body, said):
    answer = http.post(f"{server}/view", content=body, headers={"origin": server})
    assert answer.status_code == 400 and said in answer.json()["error"]


@pytest.mark.parametrize("width", ["1" + "0" * 400, "-3", "null", '"wide"', "1e400", "NaN"])
def test_any_width_is_drawn(server, width):
    body = f'{{"text": "Bob sat.", "view": "tree", "width": {width}}}'
    assert "<svg" in http.post(f"{server}/view", content=body).text


def test_roles_of_a_sentence_without_predicates_and_no_text(server):
    assert ">So much.</p>" in drawn(server, text="So much.", view="roles", model="senna")
    assert "<article" not in drawn(server, text=" ", view="roles", model="senna")


# --------------------------------------------------------------------------- in a browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium, without a window, with a new profile."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs the extra browser")
    if not (CHROMIUM and DRIVER):
        pytest.skip("no chromium with its driver here")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    downloads = tmp_path_factory.mktemp("downloads")
    for argument in (
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-dev-shm-usage", f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):  # fmt: skip
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.downloads = downloads
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: Any, server: str) -> Iterator[Page]:
    """The page in the browser, which at the end has asked nobody else and written no error."""
    width(browser, 1_200)
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get_log("performance")
    page = Page(browser, server)
    page.open()
    yield page
    assert [own["message"] for own in browser.get_log("browser") if own["level"] == "SEVERE"] == []
    messages = [json.loads(own["message"])["message"] for own in browser.get_log("performance")]
    asked = [own["params"]["request"]["url"] for own in messages if own["method"] == ASKS]
    hosts = {urlsplit(url).netloc for url in asked if url.startswith(("http", "ws"))}
    assert hosts == {urlsplit(server).netloc}


def width(browser: Any, pixels: int, scheme: str = "light") -> None:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": False})  # fmt: skip
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


class Page:
    """The page, as one who uses it sees it."""

    def __init__(self, browser: Any, server: str) -> None:
        self.browser, self.server = browser, server

    def open(self, **fields: str) -> None:
        self.browser.get("about:blank")
        self.browser.get(f"{self.server}/#{urlencode(fields)}" if fields else f"{self.server}/")

    def js(self, code: str, *arguments: Any) -> Any:
        return self.browser.execute_script(f"return {code}", *arguments)

    def all(self, selector: str) -> list[str]:
        """Texts that are seen. A sentence has none before the frame in which it is first drawn."""
        found: list[str] = self.browser.execute_async_script(
            "const [selector, done] = arguments; requestAnimationFrame(() => requestAnimationFrame("
            "() => done([...document.querySelectorAll(selector)]"
            ".filter(own => own.checkVisibility()).map(own => own.innerText))))", selector
        )  # fmt: skip
        return found

    def write(self, text: str) -> None:
        """Text in the place of what was there, as if pasted."""
        area = "document.getElementById('text')"
        self.js(f"({area}.value = arguments[0])", text)
        self.js(f"{area}.dispatchEvent(new Event('input', {{bubbles: true}}))")

    def view(self, name: str) -> None:
        self.js("document.querySelector(`[name=view][value=${arguments[0]}]`).click()", name)
        self.until(lambda: self.js("document.getElementById('result').dataset.view") == name)

    def until(self, true: Callable[[], Any], seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, self.all("body")
            time.sleep(0.03)

    def asked(self) -> list[str]:
        """What has been asked of the server since the page was there."""
        found: list[str] = self.js("performance.getEntriesByType('resource').map(own => own.name)")
        return found

    @property
    def status(self) -> str:
        return str(self.js("document.getElementById('status').textContent"))


def test_it_opens_with_an_example_that_is_tagged(page):
    assert page.js("document.getElementById('text').value").startswith("Marie Curie")
    assert page.all("#result mark")[0].startswith("Marie Curie")
    assert page.all("#legend li")
    assert not page.asked()


def test_text_is_tagged_as_one_types(page):
    area = page.browser.find_element("id", "text")
    area.clear()
    area.send_keys("Anna Weber flew to Rome.")
    page.until(lambda: len(page.all("#result mark")) == 2)
    page.until(lambda: page.status.startswith("1 sentence, "))
    assert page.all("#legend li") == ["PER 1", "LOC 1"]
    area.send_keys(" Bob")
    page.until(lambda: page.all("#legend li") == ["PER 2", "LOC 1"])


def test_an_example_is_a_click_away(page):
    page.write("")
    page.until(lambda: page.all("#result mark") == [])
    page.browser.find_element("id", "example").click()
    page.until(lambda: page.status.startswith("2 sentences"))
    assert page.all("#result mark")[0].startswith("Marie Curie")
    assert page.js("document.querySelector('#legend mark').title")
    assert len(page.all(".views small")) == 1


def test_views_and_the_link_that_holds_them(page):
    page.write(TEXT)
    seen = {}
    for view in VIEWS:
        page.view(view)
        page.until(lambda: page.status.startswith("2 sentences"))
        seen[view] = page.all("#result")[0]
        assert f"view={view}" in page.js("location.hash")
    assert len(set(seen.values())) == len(VIEWS)
    page.open(text="Bob sat.", view="tree", model="senna", other=NAME)
    page.until(lambda: page.js("document.querySelectorAll('#result svg').length") == 1)
    assert page.js("document.getElementById('text').value") == "Bob sat."


@pytest.mark.parametrize(("pixels", "scheme"), [(360, "dark"), (1_600, "light")])
def test_no_view_is_wider_than_the_screen(page, pixels, scheme):
    width(page.browser, pixels, scheme)
    page.write(TEXT.replace("a book", f"a book, {'x' * 200}, in Rome " + "and in London " * 10))
    for view in VIEWS:
        page.view(view)
        page.until(lambda: page.status.startswith("2 sentences"))
        assert page.js("document.documentElement.scrollWidth") <= pixels
    colour = page.js("getComputedStyle(document.body).backgroundColor")
    assert (colour == "rgb(255, 255, 255)") == (scheme == "light")


def test_what_a_screen_reader_says(page):
    page.write(TEXT)
    page.view("tree")
    page.until(lambda: page.js("document.querySelectorAll('#result svg').length") == 2)
    unnamed = page.js(
        "[...document.querySelectorAll('button,select,textarea,input,progress,section,svg')]"
        ".filter(own => !(own.labels?.length || own.ariaLabel || own.textContent.trim())).length"
    )
    assert unnamed == 0
    assert page.js("document.getElementById('status').role || 'status'") == "status"
    assert page.js("document.querySelector('#result svg').ariaLabel").startswith("(TOP")


def test_markup_and_control_characters_are_text(page):
    text = "<script>alert(1)</script> Bob <img src=http://example.org/x> \x01\x1b met & Eve"
    page.write(text)
    for view in VIEWS:
        page.view(view)
        page.until(lambda: "sentence" in page.status)
        assert page.js("document.querySelectorAll('main script, main img').length") == 0
    assert page.js("[...document.querySelectorAll('option')].map(own => own.value)")[1] == NAME


def test_a_long_text_waits_for_the_button(page):
    page.write("Anna Weber flew to Rome with Bob. " * 900)
    page.until(lambda: page.status == "This is a long text: press Tag.")
    page.browser.find_element("id", "tag").click()
    page.until(lambda: page.status == "Tagging ...")
    page.until(lambda: page.status.startswith("900 sentences"))
    assert page.all("#legend li") == ["PER 1800", "LOC 900"]
    assert "text=&" in page.js("location.hash")


def test_an_error_is_told(page):
    page.write("Bob sat.")
    page.until(lambda: "sentence" in page.status)
    page.js("(document.getElementById('model').options[0].value = 'gone')")
    page.browser.find_element("id", "tag").click()
    page.until(lambda: "model = 'gone' is not one of" in page.status)
    page.browser.get_log("browser")  # what the network tells of the status 400


def test_a_view_that_the_model_cannot_give_is_not_offered(page):
    page.open(text="Bob sat.", view="tree", model="senna")
    page.until(lambda: "sentence" in page.status)
    page.js("(document.getElementById('model').value = arguments[0])", NAME)
    page.js("document.getElementById('model').dispatchEvent(new Event('change', {bubbles: true}))")
    page.until(lambda: page.all("#result mark"))
    assert page.all(".views span") == ["Names", "Table", "Confidence", "Compare"]


def test_a_result_of_another_text_is_dimmed_or_gone(page):
    page.write("Bob sat.")
    page.until(lambda: "sentence" in page.status)
    page.write("Anna Weber flew to Rome with Bob. " * 500)
    assert page.js("getComputedStyle(document.getElementById('result')).opacity") < "0.5"
    page.js("(window.fetch = () => Promise.reject(new TypeError('Failed to fetch')))")
    page.browser.find_element("id", "tag").click()
    page.until(lambda: page.status == "The server does not answer.")
    assert page.all("#result article") == []


def test_a_change_of_height_alone_draws_nothing_again(page):
    page.write(TEXT)
    page.view("roles")
    page.until(lambda: page.status.startswith("2 sentences"))
    resized = "dispatchEvent(new Event('resize')) && result.classList.contains('old')"
    assert not page.js(resized)
    page.js("(result.style.width = '300px')")
    assert page.js(resized)


def test_labels_of_an_answer_have_different_colours(page):
    marks = "".join(f'<mark class="c2">x<b>{label}</b></mark>' for label in ("FOOD", "QTY", "FOOD"))
    page.js("show(`<article><p>${arguments[0]}</p></article>`, 'names')", marks)
    drawn = "[...document.querySelectorAll('#result mark')].map(mark => mark.className)"
    first, second, third = page.js(drawn)
    assert first == third != second


def test_columns_of_sentences_line_up_in_the_table(page):
    page.open(text=TEXT + " Extraordinarily, so did Eve.", view="table", model="senna")
    page.until(lambda: page.status.startswith("3 sentences"))
    rows = page.js(
        "[...document.querySelectorAll('#result table')].map(table => "
        "[...table.querySelectorAll('tr:first-child th')].slice(0, 5).map(c => c.offsetLeft))"
    )
    assert rows[0] == rows[1] == rows[2]
    assert page.all("#result table:first-of-type th").count("dep") == 3


def test_a_file_and_a_download(page, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Anna Weber sat. Ünal too.", encoding="utf-8")
    page.browser.find_element("id", "file").send_keys(str(path))
    page.until(lambda: page.status.startswith("2 sentences"))
    page.js("(document.getElementById('format').value = 'conllu')")
    page.browser.find_element("id", "download").click()
    page.until(lambda: (page.browser.downloads / "tagged.conllu").exists())
    assert page.js("document.getElementById('said').textContent") == "Downloaded."
    written = (page.browser.downloads / "tagged.conllu").read_text(encoding="utf-8")
    assert "Ünal" in written and "ner=B-PER" in written


def test_a_page_is_opened_as_its_text_and_a_picture_not_at_all(page, tmp_path):
    (tmp_path / "a.html").write_text(
        "<title>No</title><style>p{}</style><script>Tom</script><h1>Peru</h1><p>Ann\nLee sat.",
        encoding="utf-8",
    )
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    page.browser.find_element("id", "file").send_keys(str(tmp_path / "a.html"))
    page.until(lambda: page.js("document.getElementById('text').value") == "Peru\n\nAnn Lee sat.")
    page.browser.find_element("id", "file").send_keys(str(tmp_path / "a.png"))
    page.until(lambda: page.status == "This file is not text.")
    assert page.js("document.getElementById('text').value") == "Peru\n\nAnn Lee sat."


@pytest.mark.parametrize("pixels", [390, 1_280])
def test_the_page_of_the_interface_for_people(page, pixels):
    width(page.browser, pixels)
    page.browser.get(f"{page.server}/api")
    page.until(lambda: '"sentences"' in page.all("#answer")[0])
    assert '\n    { "text": "Rome", "start": 13, "end": 17 },\n' in page.all("#answer")[0]
    assert page.js("document.documentElement.scrollWidth") <= pixels
    assert f"curl {page.server}/v1/tag -H" in page.all("#curl")[0]
    terms = page.all("dt code")
    assert {"POST /v1/tag", "GET /health", "text", "tokens", "504", *OPTIONS} <= set(terms)
