"""From the pages of a PDF to a Document."""

from spanwise.document import Document, Notice
from spanwise.errors import LimitExceeded
from spanwise.formats import Settings
from spanwise.formats.pdf.aligned import aligned_tables
from spanwise.formats.pdf.banners import parts_of
from spanwise.formats.pdf.blocks import Block, blocks_of
from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.columns import cut_at_columns
from spanwise.formats.pdf.contents import is_index, with_entries
from spanwise.formats.pdf.cutting import cut_at_rules, without_leaders
from spanwise.formats.pdf.figures import mark_figures
from spanwise.formats.pdf.footnotes import mark_notes
from spanwise.formats.pdf.furniture import furniture_of, line_numbers
from spanwise.formats.pdf.graphics import (
    Graphics,
    graphics_of,
    mark_bullets,
    mark_underlined,
)
from spanwise.formats.pdf.headings import mark_headings
from spanwise.formats.pdf.highlights import without_highlights
from spanwise.formats.pdf.hyphens import Hyphens
from spanwise.formats.pdf.joining import joined_over, with_labels, with_marks
from spanwise.formats.pdf.lines import Line, page_lines
from spanwise.formats.pdf.links import LinkSpan, link_spans
from spanwise.formats.pdf.lists import mark_items, with_code
from spanwise.formats.pdf.notices import page_notice
from spanwise.formats.pdf.order import in_order, is_over
from spanwise.formats.pdf.outline import matched
from spanwise.formats.pdf.paragraphs import Columns, Paragraph, paragraphs_of
from spanwise.formats.pdf.pdfium import LazyPage, Pdf
from spanwise.formats.pdf.places import PagePlaces, PdfPlaces
from spanwise.formats.pdf.run_ins import with_run_ins
from spanwise.formats.pdf.shapes import shapes_of
from spanwise.formats.pdf.slides import slide_titles
from spanwise.formats.pdf.stripes import with_rows_between
from spanwise.formats.pdf.tables import Table, ruled_tables, tagged_tables
from spanwise.formats.pdf.turning import TurnedPage, turn_of
from spanwise.formats.pdf.writing import joined_text, write


def read_pdf(pdf: Pdf, settings: Settings, media_type: str, use_bookmarks: bool = True) -> Document:
    """The document of an open file, which stays open for its places."""
    texts: list[PageText] = []
    pages: list[list[Line]] = []
    sizes: list[tuple[float, float]] = []
    links: list[list[LinkSpan]] = []
    columns_of: list[dict[int, int]] = []
    drawings: list[Graphics] = []
    labels: list[str] = []
    notices: list[Notice] = []
    objects = 0
    for number in range(pdf.page_count):
        labels.append(pdf.label(number))
        page = pdf.page(number)
        if page is None:
            texts.append(PageText("", None))
            columns_of.append({})
            links.append([])
            pages.append([])
            sizes.append((0.0, 0.0))
            drawings.append(Graphics([], [], [], [], [], [], []))
            notices.append(
                {"code": "unreadable_page", "page": number + 1, "message": "it cannot be loaded"}
            )
            continue
        objects += page.object_count() + page.count
        if objects > settings.max_objects:
            raise LimitExceeded("max_objects", settings.max_objects, objects, "objects on pages")
        text, lines, columns_in = page_lines(page, number, pdf.is_tagged)
        columns_of.append(columns_in)
        found = page.links(pdf.handle) if page.annotation_count() > 0 else []
        links.append(link_spans(page, text, lines, found) if found else [])
        lines = with_marks(lines, line_numbers(lines))
        texts.append(text)
        pages.append(lines)
        sizes.append((page.width, page.height))
        drawn = graphics_of(shapes_of(page), page.width, page.height)
        drawings.append(with_rows_between(without_highlights(drawn, lines), lines))
        mark_bullets(lines, drawings[-1].dots)
        starts = [link.start for link in links[-1]]
        mark_underlined(lines, drawings[-1].across, starts)
        notice = page_notice(page, number, text, lines, drawings[-1])
        if notice is not None:
            notices.append(notice)
    if any(pages):
        # An empty page among others is just that.
        notices = [notice for notice in notices if notice["code"] != "empty_page"]
    places = [PagePlaces(text, lines) for text, lines in zip(texts, pages, strict=True)]
    furniture = set() if settings.keep_furniture else furniture_of(pages, sizes)
    blocks: list[list[Block]] = [[] for _ in pages]
    contents: set[int] = set()
    # From the last page on, since the last ones are still open.
    for number in range(len(pages) - 1, -1, -1):
        kept = [line for line in pages[number] if id(line) not in furniture]
        turn = turn_of(kept, *sizes[number])
        page_of = LazyPage(pdf, number)
        if turn is not None:
            page_of = TurnedPage(pdf, number, turn)
            kept = turn.lines(page_of, texts[number], kept)
            drawings[number] = turn.graphics(drawings[number])
        kept = cut_at_columns(page_of, texts[number], kept)
        kept = cut_at_rules(page_of, texts[number], kept, drawings[number])
        kept, entries = with_entries(without_leaders(page_of, texts[number], kept))
        contents.update(entries)
        free = [line for line in kept if id(line) not in entries]
        tables = tagged_tables(free, columns_of[number])
        used = {id(line) for table in tables for line in table.used}
        free = [line for line in free if id(line) not in used]
        tables += _tables(page_of, texts[number], free, drawings[number])
        blocks[number] = in_order(_blocks(kept, tables), drawings[number], sizes[number])
    columns = Columns(blocks)
    hyphens = Hyphens(pages)
    usual = _usual_size(pages)
    paragraphs: list[Paragraph] = []
    for number, page_blocks in enumerate(blocks):
        for block in page_blocks:
            if isinstance(block.table, Table):
                paragraphs.append(_table(block.table))
            else:
                edge = columns.right_of(number, block)
                paragraphs.extend(paragraphs_of(block, edge, contents))
        mark_figures(paragraphs, number, drawings[number], usual)
    paragraphs, run_ins = with_run_ins(paragraphs, texts)
    for paragraph in paragraphs:
        paragraph.text = joined_text(paragraph, hyphens)
    marks = mark_notes(paragraphs, texts)
    paragraphs = with_code(joined_over(paragraphs, hyphens))
    bookmarks = pdf.bookmarks() if use_bookmarks else []
    paragraphs = with_labels(paragraphs)
    titles = slide_titles(paragraphs, sizes)
    paragraphs = mark_headings(paragraphs, run_ins, matched(bookmarks, paragraphs), titles)
    mark_items(paragraphs)
    writer = write(paragraphs, texts, links, hyphens, marks)
    return writer.document(media_type, pdf.title(), PdfPlaces(pdf, places, labels), notices)


def _tables(page: LazyPage, text: PageText, lines: list[Line], drawings: Graphics) -> list[Table]:
    if not lines:
        return []
    found = ruled_tables(page, text, lines, drawings)
    used = {id(line) for table in found for line in table.used}
    areas = [[line for line in lines if id(line) not in used]]
    areas += [area for table in found for area in table.areas]
    ruled = [table for table in found if table.rows]
    tables = list(ruled)
    for part in [part for area in areas for part in parts_of(area)[0]]:
        aligned = aligned_tables(page, text, part, drawings, ruled)
        tables += [table for table in aligned if not is_index(table.rows)]
    return tables


def _blocks(lines: list[Line], tables: list[Table]) -> list[Block]:
    """The blocks of a page, a table where its first line is."""
    if not tables:
        return blocks_of(lines)
    home = {id(line): table for table in tables for line in table.used}
    made = {id(table): Block(table.used, table) for table in tables}
    found: list[Block] = []
    free: list[Line] = []
    placed: set[int] = set()
    for line in lines:
        table = home.get(id(line))
        if table is None:
            if any(is_over([line], block) for block in made.values()):
                # The title of a table is no part of the column that it may stand below.
                found.extend(blocks_of(free))
                free = []
            free.append(line)
            continue
        if id(table) not in placed:
            placed.add(id(table))
            found.extend(blocks_of(free))
            free = []
            found.append(made[id(table)])
    return found + blocks_of(free)


def _table(table: Table) -> Paragraph:
    lines = [line for row in table.rows for cell in row for line in cell]
    made = Paragraph(lines)
    made.kind = "table"
    made.rows = table.rows
    return made


def _usual_size(pages: list[list[Line]]) -> float:
    """The size that most letters of a document have."""
    sizes: dict[float, int] = {}
    for lines in pages:
        for line in lines:
            sizes[line.style.size] = sizes.get(line.style.size, 0) + len(line.text)
    return max(sorted(sizes), key=lambda size: sizes[size], default=0.0)
