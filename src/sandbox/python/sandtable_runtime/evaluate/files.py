"""The files one evaluate_python call can read, and the writes it queues; the host checks and makes them."""

from ..errors import PolicyError


class FileError(ValueError, PolicyError):
    """A file cannot be read or written so."""

    __init__ = PolicyError.__init__


_MODES = ("create", "overwrite", "append")


class Files:
    """One call's view: the snapshot of all files, and what has been read and queued."""

    def __init__(self, request):
        self.texts = request["files"]
        self.read_paths = set(request["reads"])
        self.targets = {each["path"] for each in request["writes"]}
        self.limit = request["limits"]["fileCharacters"]
        self.room = request["limits"]["queuedCharacters"]
        self.queued = []

    def read(self, path):
        _expect_text(path, "path")
        text = self.texts.get(path)
        if text is None:
            raise FileError(
                f"there is no file {path!r}", "list the files first; files written in this call appear after it"
            )
        return text

    def write(self, path, content, mode):
        for name, value in (("path", path), ("content", content), ("mode", mode)):
            _expect_text(value, name)
        if mode not in _MODES:
            raise FileError(f"there is no write mode {mode!r}", f"use one of {', '.join(_MODES)}")
        if path in self.targets:
            raise FileError(f"Duplicate write targets detected: {path!r}", "gather the text and write the file once")
        if path in self.read_paths:
            raise FileError(
                f"Writes queued during execution must not target read paths: {path!r}",
                "leave the path out of reads and use read_text",
            )
        self.targets.add(path)
        self.room -= len(self.checked_text(content))
        if self.room < 0:
            raise FileError("the writes of this call exceed the limit in total", "write less in one call")
        self.queued.append({"path": path, "content": content, "mode": mode})

    def checked_text(self, content):
        """The content itself when a file can hold it."""
        if len(content) > self.limit:
            raise FileError(
                f"the content is {len(content):,} characters long, over the limit of {self.limit:,}",
                "split it into several files",
            )
        try:
            content.encode("utf-8")
        except UnicodeEncodeError:
            raise FileError("the content is not text in UTF-8", "leave out half characters") from None
        return content


def _expect_text(value, name):
    if type(value) is not str:
        raise TypeError(f"{name} must be a string, not {type(value).__name__}")
