"""The cluster of the settings: is it there, and how large is it?"""

from __future__ import annotations

from collections.abc import Mapping

from ai.arena.cluster import NoExecutor, installed
from ai.distributed.dispatcher import ClusterLost
from ai.distributed.teams import open_team
from ui.host import Host, Job
from ui.toolkit.i18n import t


class ClusterTest(Job[Mapping[str, int] | None]):
    """Connect to the cluster at `address`, and say how many workers and threads it has."""

    def __init__(self, host: Host, address: str) -> None:
        stopped = t("cluster.stopped")
        super().__init__(host, t("cluster.testing"), address, stopped, lambda _tell: _members(address), self._told)

    def _told(self, members: Mapping[str, int] | None) -> None:
        if members is None:
            self._host.say(t("cluster.failed" if installed() else "cluster.extra", address=self.name), "bad")
        elif members:
            workers = t("cluster.workers", count=len(members))
            self._host.say(f"{workers} · {t('cluster.threads', count=sum(members.values()))}", "good")
        else:
            self._host.say(t("cluster.empty"), "bad")


def _members(address: str) -> Mapping[str, int] | None:
    """Return the workers with their threads; None if the cluster cannot be used."""
    try:
        with open_team(address) as team:
            return dict(team.members())
    except (ClusterLost, NoExecutor):
        return None
