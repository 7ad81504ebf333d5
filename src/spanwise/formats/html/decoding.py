"""Bytes to text, as the HTML and Encoding standards say.

What declares no encoding is UTF-8 where it can be, else windows-1252.
"""

import codecs
import re
from typing import Final

from spanwise.errors import UnreadableSource

SNIFFED: Final = 1024
"""Bytes at the start in which an encoding may be declared."""

_BOMS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xfe\xff", "utf-16-be"),
    (b"\xff\xfe", "utf-16-le"),
)
_COMMENT: Final = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META: Final = re.compile(rb"<meta[\s/][^>]*>", re.IGNORECASE)
_CHARSET: Final = re.compile(rb"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;\"'/>]+))", re.I)
_XML: Final = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"']*)[\"']")
_CONTROLS: Final = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f]")

_CODECS: Final = {
    label: codec
    for codec, labels in {
        "utf-8": "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 x-unicode20utf8 utf-16 utf-16le"
        " utf-16be unicode ucs-2 csunicode iso-10646-ucs-2 unicodefeff unicodefffe",
        "cp866": "ibm866 866 cp866 csibm866",
        "iso8859-2": "iso-8859-2 latin2 l2 iso8859-2 iso88592 iso_8859-2 iso-ir-101 csisolatin2",
        "iso8859-3": "iso-8859-3 latin3 l3 iso8859-3 iso88593 iso_8859-3 iso-ir-109 csisolatin3",
        "iso8859-4": "iso-8859-4 latin4 l4 iso8859-4 iso88594 iso_8859-4 iso-ir-110 csisolatin4",
        "iso8859-5": "iso-8859-5 cyrillic iso8859-5 iso88595 iso_8859-5 iso-ir-144"
        " csisolatincyrillic",
        "iso8859-6": "iso-8859-6 arabic asmo-708 ecma-114 iso8859-6 iso88596 iso_8859-6 iso-ir-127"
        " iso-8859-6-e iso-8859-6-i csisolatinarabic csiso88596e csiso88596i",
        "iso8859-7": "iso-8859-7 greek greek8 ecma-118 elot_928 iso8859-7 iso88597 iso_8859-7"
        " iso-ir-126 csisolatingreek sun_eu_greek",
        "iso8859-8": "iso-8859-8 hebrew visual iso8859-8 iso88598 iso_8859-8 iso-ir-138"
        " iso-8859-8-e iso-8859-8-i logical csisolatinhebrew csiso88598e csiso88598i",
        "iso8859-10": "iso-8859-10 latin6 l6 iso8859-10 iso885910 iso-ir-157 csisolatin6",
        "iso8859-13": "iso-8859-13 iso8859-13 iso885913",
        "iso8859-14": "iso-8859-14 iso8859-14 iso885914",
        "iso8859-15": "iso-8859-15 l9 iso8859-15 iso885915 iso_8859-15 csisolatin9",
        "iso8859-16": "iso-8859-16",
        "koi8-r": "koi8-r koi koi8 koi8_r cskoi8r",
        "koi8-u": "koi8-u koi8-ru",
        "mac-roman": "macintosh mac x-mac-roman csmacintosh",
        "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
        "cp874": "windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620",
        "cp1250": "windows-1250 cp1250 x-cp1250",
        "cp1251": "windows-1251 cp1251 x-cp1251",
        "cp1252": "windows-1252 cp1252 x-cp1252 iso-8859-1 latin1 l1 iso8859-1 iso88591 iso_8859-1"
        " iso-ir-100 ascii us-ascii ansi_x3.4-1968 cp819 ibm819 csisolatin1 x-user-defined",
        "cp1253": "windows-1253 cp1253 x-cp1253",
        "cp1254": "windows-1254 cp1254 x-cp1254 iso-8859-9 latin5 l5 iso8859-9 iso88599 iso_8859-9"
        " iso-ir-148 csisolatin5",
        "cp1255": "windows-1255 cp1255 x-cp1255",
        "cp1256": "windows-1256 cp1256 x-cp1256",
        "cp1257": "windows-1257 cp1257 x-cp1257",
        "cp1258": "windows-1258 cp1258 x-cp1258",
        "gb18030": "gb18030 gbk gb2312 gb_2312 gb_2312-80 chinese x-gbk iso-ir-58 csgb2312"
        " csiso58gb231280",
        "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5 csbig5",
        "euc_jp": "euc-jp x-euc-jp cseucpkdfmtjapanese",
        "iso2022_jp": "iso-2022-jp csiso2022jp",
        "cp932": "shift_jis shift-jis sjis ms_kanji ms932 windows-31j x-sjis csshiftjis",
        "cp949": "euc-kr korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949"
        " iso-ir-149 cseuckr csksc56011987",
    }.items()
    for label in labels.split()
}


def decoded(data: bytes) -> str:
    """The text of an HTML file, without byte order mark.

    Bytes that are none in its encoding are U+FFFD. Raises UnreadableSource for what is not text.
    """
    text = data[_bom_size(data) :].decode(encoding_of(data), "replace")
    controls = len(_CONTROLS.findall(text[:65536]))
    if controls > 8 and controls * 50 > min(len(text), 65536):
        raise UnreadableSource("not HTML: what is in it is not text")
    return text


def encoding_of(data: bytes) -> str:
    """The name of the codec that an HTML file is to be read with."""
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return codec
    declared = _declared(data[:SNIFFED])
    if declared:
        return declared
    try:
        codecs.decode(data, "utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _bom_size(data: bytes) -> int:
    return next((len(mark) for mark, _ in _BOMS if data.startswith(mark)), 0)


def _declared(head: bytes) -> str | None:
    """What `<meta charset>`, its older form or an XML declaration says."""
    if head.startswith((b"<\0?\0", b"<\0!\0", b"<\0h\0")):
        return "utf-16-le"
    if head.startswith((b"\0<\0?", b"\0<\0!", b"\0<\0h")):
        return "utf-16-be"
    found = [meta.group() for meta in _META.finditer(_COMMENT.sub(b"", head))]
    for meta in found:
        charset = _CHARSET.search(meta)
        if charset:
            codec = _codec(charset[1] or charset[2] or charset[3] or b"")
            if codec:
                return codec
    xml = _XML.match(head)
    return _codec(xml[1]) if xml else None


def _codec(label: bytes) -> str | None:
    return _CODECS.get(label.decode("ascii", "replace").strip().lower())
