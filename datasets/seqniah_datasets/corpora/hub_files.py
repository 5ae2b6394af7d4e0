"""The files of a data set on the Hugging Face hub, streamed; all that uses the network."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from seqniah_datasets.errors import CorpusError

COMMIT = re.compile(r"[0-9a-f]{40}")

_BUFFER = 1 << 16


class HubError(CorpusError):
    """The hub failed, rather than a file; nothing else of the data set is tried."""


class Remote:
    """The data set on the hub: all that uses the network."""

    def __init__(self, repo: str, option: str = "corpus", what: str = "texts") -> None:
        """`option` takes the data set, or a folder of the same `what`; for messages."""
        self.repo = repo
        self._option, self._what = option, what
        self._endpoint = os.environ.get("HF_ENDPOINT", "").rstrip("/") or None

    def look(self, revision: str) -> tuple[str, list[str]]:
        """The commit of a revision, and the sorted paths of its files; to be called first."""
        from huggingface_hub import HfApi, HfFileSystem

        with self.errors(revision):
            self._system: Any = HfFileSystem(endpoint=self._endpoint, skip_instance_cache=True)
            info = HfApi(endpoint=self._endpoint).dataset_info(
                self.repo, revision=revision, timeout=30
            )
            commit = str(info.sha)
            if not COMMIT.fullmatch(commit):
                raise ValueError(f"the answer names no commit but {commit[:40]!r}")
            return commit, sorted(entry.rfilename for entry in info.siblings or ())

    @contextmanager
    def open(self, commit: str, path: str, limit: int) -> Iterator[tuple[_Stream, BinaryIO]]:
        """A file as it comes in. Reading past `limit` bytes raises `CorpusError`."""
        place = f"datasets/{self.repo}@{commit}/{path}"
        with self.errors(commit):  # block_size 0: one request, read as it arrives
            opened = self._system.open(place, "rb", block_size=0)
        stream = _Stream(self, commit, opened, limit)
        with stream, io.BufferedReader(stream, _BUFFER) as buffered:
            yield stream, buffered

    def fetch(self, commit: str, path: str) -> Path:
        """A whole file in the hub's own cache; one that is there needs no network."""
        from huggingface_hub import hf_hub_download
        from huggingface_hub.errors import RemoteEntryNotFoundError

        with self.errors(commit):
            try:
                found = hf_hub_download(
                    self.repo, path, repo_type="dataset", revision=commit, endpoint=self._endpoint
                )
            except RemoteEntryNotFoundError as error:
                raise FileNotFoundError(f"there is no {path} at the commit {commit}") from error
        return Path(found)

    @contextmanager
    def errors(self, revision: str) -> Iterator[None]:
        """Turn whatever the hub's library raises into one sentence."""
        try:
            yield
        except Exception as error:
            raise HubError(self._sentence(error, revision)) from error

    def _sentence(self, error: Exception, revision: str) -> str:
        from huggingface_hub import constants
        from huggingface_hub import errors as known

        hub = self._endpoint or constants.ENDPOINT
        status = getattr(getattr(error, "response", None), "status_code", None)
        folder = f"or give a folder of {self._what} with {self._option}=PATH"
        offline = known.OfflineModeIsEnabled
        if isinstance(error, offline) or isinstance(error.__cause__, offline):
            return (
                f"HF_HUB_OFFLINE is set, but the {self._what} of {self.repo} have not been fetched "
                f"yet; unset it for one run, {folder}."
            )
        if isinstance(error, known.RevisionNotFoundError):
            return (
                f"The data set {self.repo} has no revision {revision} (any more); pass one that "
                f"it has with {self._option}=hub:{self.repo}@REVISION, {folder}."
            )
        if isinstance(error, known.GatedRepoError) or status in (401, 403):
            return (
                f"The data set {self.repo} is gated, private or not there; accept its terms at "
                f"{hub}/datasets/{self.repo} and set HF_TOKEN to a token of that account, {folder}."
            )
        if isinstance(error, known.RepositoryNotFoundError):
            return f"There is no data set {self.repo} at {hub}; check its name, {folder}."
        what = str(error).strip().split("\n")[0] or type(error).__name__
        return (
            f"{self.repo} could not be fetched from {hub} ({what.rstrip('.')}); try again, "
            f"set HF_ENDPOINT to a mirror, {folder}."
        )


class _Stream(io.RawIOBase):
    """A remote file's bytes, counted."""

    def __init__(self, remote: Remote, commit: str, opened: Any, limit: int) -> None:
        self.done = 0
        self._remote, self._commit, self._opened, self._limit = remote, commit, opened, limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.done > self._limit:
            raise CorpusError(f"Nothing more is read of this file after {self.done:,} bytes.")
        with self._remote.errors(self._commit):
            chunk: bytes = self._opened.read(min(len(buffer), _BUFFER))
        buffer[: len(chunk)] = chunk
        self.done += len(chunk)
        return len(chunk)

    def close(self) -> None:
        if not self.closed:
            self._opened.close()
            self._opened = None  # the last reference ends the connection
        super().close()
