"""Active formatting elements, and what is misnested (HTML standard, 13.2.4.3 and 13.2.6.4.7)."""

from spanwise.formats.html.insertion import ROOM, Inserter
from spanwise.formats.html.nodes import HTML, Element
from spanwise.formats.html.open_elements import is_special


class Formatter(Inserter):
    """A tree in which formatting goes on where it was not ended."""

    def __init__(self, max_depth: int, max_objects: int) -> None:
        """Without formatting."""
        super().__init__(max_depth, max_objects)
        self.formatting: list[Element | None] = []
        """The active formatting elements; None is a marker."""

    def insert_formatting(self, name: str, attrs: dict[str, str]) -> None:
        """Put a formatting element into the tree, open it and note it."""
        element = self.insert(name, attrs)
        if self.open[-1] is element:
            self.push_formatting(element)

    def push_formatting(self, element: Element) -> None:
        """Note a formatting element; of equal ones only three are kept."""
        same = 0
        for at in range(len(self.formatting) - 1, -1, -1):
            noted = self.formatting[at]
            if noted is None:
                break
            if noted.name == element.name and noted.attrs == element.attrs:
                same += 1
                if same == 3:
                    del self.formatting[at]
                    break
        self.formatting.append(element)

    def clear_formatting(self) -> None:
        """Forget formatting elements up to the last marker."""
        while self.formatting and self.formatting.pop() is not None:
            pass

    def noted(self, name: str) -> Element | None:
        """The last formatting element of that name after the last marker."""
        for element in reversed(self.formatting):
            if element is None:
                return None
            if element.name == name:
                return element
        return None

    def reconstruct(self) -> None:
        """Open again the formatting elements that were closed without an end tag."""
        noted = self.formatting
        if not noted or noted[-1] is None or noted[-1] is self.open[-1]:
            return
        if noted[-1] in self.open or len(self.open) >= self.max_depth - ROOM:
            return
        at = len(noted) - 1
        while at > 0 and (before := noted[at - 1]) is not None and before not in self.open:
            at -= 1
        for number in range(at, len(noted)):
            element = noted[number]
            assert element is not None
            if len(self.open) >= self.max_depth - ROOM:
                self.flattened.setdefault(element.name, 0)
                return
            noted[number] = self.insert(element.name, element.attrs)

    def adopt(self, name: str) -> bool:
        """The adoption agency: close a formatting element that is misnested.

        False where the end tag is to be treated as any other.
        """
        current = self.current
        if current.namespace == HTML and current.name == name and current not in self.formatting:
            self.open.pop()
            return True
        for _ in range(8):
            element = self.noted(name)
            if element is None:
                return False
            if element not in self.open:
                self.formatting.remove(element)
                return True
            if not self.in_scope(element):
                return True
            at = self.open.index(element)
            furthest = next((node for node in self.open[at + 1 :] if is_special(node)), None)
            if furthest is None:
                del self.open[at:]
                self.formatting.remove(element)
                return True
            self._move(element, furthest, self.open[at - 1])
        return True

    def _move(self, element: Element, furthest: Element, ancestor: Element) -> None:
        """One round of the adoption agency: `element` goes into `furthest`."""
        bookmark = self.formatting.index(element)
        last = furthest
        at = self.open.index(furthest)
        rounds = 0
        while True:
            rounds += 1
            at -= 1
            node = self.open[at]
            if node is element:
                break
            if rounds > 3 and node in self.formatting:
                number = self.formatting.index(node)
                del self.formatting[number]
                bookmark -= number < bookmark
            if node not in self.formatting:
                del self.open[at]
                continue
            copy = self.new(node.name, node.attrs)
            number = self.formatting.index(node)
            self.formatting[number] = copy
            self.open[at] = copy
            if last is furthest:
                bookmark = number + 1
            last.detach()
            copy.append(last)
            last = copy
        last.detach()
        parent, place = self.place(ancestor)
        parent.insert(place, last)
        copy = self.new(element.name, element.attrs)
        copy.children, furthest.children = furthest.children, []
        for child in copy.children:
            child.parent = copy
        furthest.append(copy)
        number = self.formatting.index(element)
        del self.formatting[number]
        bookmark -= number < bookmark
        self.formatting.insert(bookmark, copy)
        self.open.remove(element)
        self.open.insert(self.open.index(furthest) + 1, copy)
