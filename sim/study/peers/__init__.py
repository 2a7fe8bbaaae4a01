"""What people use today: other libraries' models, in the same scenes, with their own defaults."""

from __future__ import annotations

from sim.core.errors import BadInput, suggest
from sim.study.peers.crowd import Crowd, Peer
from sim.study.peers.jps import model
from sim.study.peers.metres import in_metres
from sim.study.peers.orca import OrcaCrowd
from sim.study.peers.social_force import SocialForceCrowd

__all__ = ["PEERS", "Crowd", "Peer", "peer"]

_JPS = 0.01
"""s, the step that JuPedSim recommends to leave as it is."""

PEERS: dict[str, Peer] = {
    each.name: each
    for each in (
        Peer("orca", "pyrvo", "ORCA at the step of RVO2's examples", 0.25, OrcaCrowd),
        Peer("orca-fine", "pyrvo", "ORCA at a game's step", 1 / 60, OrcaCrowd),
        Peer(
            "jps-cfsm", "jupedsim", "collision-free speed (Tordeux, Chraibi and Seyfried 2016)",
            _JPS, in_metres(model("CollisionFreeSpeedModel")),
        ),
        Peer(
            "jps-avm", "jupedsim", "anticipation velocity (Xu, Chraibi and Seyfried 2021)",
            _JPS, in_metres(model("AnticipationVelocityModel", draws=True)), draws=True,
        ),
        Peer(
            "jps-sfm", "jupedsim", "social force (Helbing, Farkas and Vicsek 2000)",
            _JPS, in_metres(model("SocialForceModel")),
        ),
        Peer(
            "pysocialforce", "PySocialForce", "extended social force (Moussaid and others 2010)",
            0.4, in_metres(SocialForceCrowd),
        ),
    )
}  # fmt: skip
"""Every peer by the name it is asked for; the seconds are its time step."""


def peer(name: str) -> Peer:
    """The peer of that name. Raises `BadInput` if there is none."""
    if name not in PEERS:
        raise BadInput(f"peer {name!r}: unknown; {suggest(name, PEERS)}")
    return PEERS[name]
