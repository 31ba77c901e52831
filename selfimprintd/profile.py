"""One open profile: the memory, the vault under it, and the one door for change.

Order of a commit: admit → journal (durable) → apply to the followers. A follower that fails is rebuilt; it never
refuses a commit. There is a single writer, and readers never see half a delta."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from selfimprint.engine.codec import encode
from selfimprint.engine.delta import GraphDelta
from selfimprint.engine.door import admit
from selfimprint.engine.errors import DeltaRefused
from selfimprint.engine.ports import Clock
from selfimprint.synx.errors import VaultError
from selfimprint.synx.journal import Ticket
from selfimprint.synx.vault import Vault

from selfimprintd.graphstore import OpenGraph
from selfimprintd.memory import Memory, ProfileSettings

log = logging.getLogger("selfimprintd.profile")


class Profile(Memory):
    def __init__(
        self,
        profile_id: str,
        vault: Vault,
        clock: Clock,
        settings: ProfileSettings,
        open_graph: OpenGraph,
    ) -> None:
        self.id = profile_id
        self.listeners: list[Callable[[GraphDelta], None]] = []
        self.reload_listeners: list[Callable[[], None]] = []
        self._is_stale = False
        self._forget_tickets()
        super().__init__(vault, clock, settings, open_graph)

    def _forget_tickets(self) -> None:
        self._newest: Ticket | None = None
        self._on_their_way: list[Ticket] = []

    def commit(self, delta: GraphDelta) -> int:
        """Let a delta in, make it durable, apply it. Raises DeltaRefused or a vault error; then nothing changed."""
        return self.finish([self.begin(delta)])

    def begin(self, delta: GraphDelta) -> Ticket:
        """Let a delta in and apply it; it may be acknowledged once `finish` returned. Deltas that begin before one of
        them finishes share a sync."""
        with self.lock:
            self._take_back()
            try:
                admit(delta, self.state, self.settings.engine)
            except DeltaRefused as refusal:
                for reason in refusal.reasons:
                    self.refused[reason] = self.refused.get(reason, 0) + 1
                raise
            data = encode(delta)
            ticket = self.vault.begin(data, after=self._seq)
            self._note(ticket)
            self._apply(ticket.seq, delta, data)
        for listener in list(self.listeners):
            listener(delta)
        return ticket

    def finish(self, tickets: Sequence[Ticket]) -> int:
        """Wait until all are durable; the last one's number. When the disk fails, memory goes back to what it holds."""
        seq = 0
        try:
            for ticket in tickets:
                seq = self.vault.finish(ticket)
        except VaultError:
            with self.lock:
                self._take_back()
            raise
        if len(self._uncovered) > self.settings.checkpoint_records or (
            self._uncovered_bytes > self.settings.checkpoint_bytes
        ):
            try:
                self.checkpoint()
            except VaultError as error:  # what was asked for is durable all the same
                log.warning("the checkpoint was put off: %s", error)
        return seq

    def newest(self) -> list[Ticket]:
        """What to finish before anybody is told of what is in memory now."""
        with self.lock:
            return [] if self._newest is None else [self._newest]

    def _note(self, ticket: Ticket) -> None:
        """Remember one ticket of each batch that is not on the disk yet."""
        self._newest = ticket
        if not self._on_their_way or self._on_their_way[-1].batch is not ticket.batch:
            self._on_their_way = [t for t in self._on_their_way if not t.batch.done or t.batch.error is not None]
            self._on_their_way.append(ticket)

    def _take_back(self) -> None:
        """Where a record was lost on its way to the disk, go back to what the disk holds, once for all who hear of it:
        the lost ones end together, so that nothing good is on its way then."""
        if self._is_stale or any(ticket.batch.error is not None for ticket in self._on_their_way):
            self._reload()

    def _reload(self) -> None:
        """Forget what is in memory and read the disk again: what was never durable never happened."""
        self._is_stale = True  # until all is read: nothing may build on a half of it
        self._graph.drop()
        sent, fingerprint = self.sent, self.embedder_fingerprint
        self._forget_tickets()
        self._read_all()
        self.sent = sent
        if fingerprint != self.embedder_fingerprint:
            self.embedder_fingerprint = fingerprint
            self.drop_vectors()
        self._is_stale = False
        for listener in list(self.reload_listeners):
            listener()

    def checkpoint(self) -> None:
        """Write what changed since the last checkpoint; the deltas it covers move into history."""
        with self.lock:
            self._settle()
            if not self._uncovered and self.vault.names() and self.sent.sendings == self._filed_sendings:
                return
            changed = self._files(self.clock.now_us())
            self._index_is_filed = False  # until the disk has it: its blocks count as unchanged from now on
            self.vault.checkpoint(changed, through_seq=self._seq, note={"nodes": len(self.state.nodes)})
            self._filed()

    def _settle(self) -> None:
        """Wait for what is on its way: a checkpoint covers what is durable."""
        self._take_back()
        try:
            for ticket in self.newest():
                self.vault.finish(ticket)
        except VaultError:
            self._take_back()
            raise

    def close(self) -> None:
        """Checkpoint where possible, then let go of everything."""
        with self.lock:
            if self.vault.read_only is None:
                try:
                    self.checkpoint()
                except VaultError as error:  # the journal holds it all
                    log.warning("closed without a checkpoint: %s", error)
            self._graph.drop()
            self.vault.close()
