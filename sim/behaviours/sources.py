"""Where the formula of each rule is from, in a few words; docs/rows.md has the rows by letter."""

from __future__ import annotations

_BOOK = "AI for Game Developers (2004), ch. 4"
_REYNOLDS = "Reynolds, Steering Behaviors (1999)"
_JOHNSEN = "K. Johnsen, Flocking Work"
_SQUARES = "Group Movement, tile-map tutorial"
_CROSSING = "Path crossing and look-ahead"
_MAGES = "Pathfollowing for mages"
_OWN = "this project"

SOURCES = {
    "cohesion": f"{_BOOK} (A6)",
    "alignment": f"{_BOOK} (A7)",
    "separation": f"{_BOOK} (A8)",
    "avoid_discs": f"{_BOOK} (A9)",
    "avoid_walls": f"{_BOOK} (A9), for walls by {_OWN}",
    "cruise": f"{_BOOK} (A1)",
    "thrusters": f"{_BOOK} (A10)",
    "chase": f"{_BOOK} (A11, A12)",
    "intercept": "AI for Game Developers (2004), ch. 2 (A11)",
    "march": _OWN,
    "velocity_matching": f"{_JOHNSEN} (B1, B2)",
    "rank_and_file": f"{_JOHNSEN} (B1, B3)",
    "linear_separation": f"{_JOHNSEN} (B4)",
    "approach": f"{_JOHNSEN} (B5)",
    "ray_avoidance": f"{_JOHNSEN} (B6, B7)",
    "unaligned_avoidance": f"{_JOHNSEN} (B8)",
    "press_on": f"{_SQUARES} (C3, C7)",
    "press_after": f"{_SQUARES} (C3, C7)",
    "press_behind": f"{_SQUARES} (C3, C7)",
    "press_away": f"{_SQUARES} (C3, C7)",
    "press_aside": f"{_OWN}, beside {_SQUARES} (C5)",
    "press_in_turn": f"{_OWN}, beside {_SQUARES} (C9)",
    "go_round": f"{_SQUARES} (C3, C7)",
    "close_ranks": f"{_OWN}, beside {_SQUARES} (C9)",
    "anti_gravity": f"{_CROSSING} (D4)",
    "crossing_paths": f"{_CROSSING} (D1 to D6)",
    "give_way": "Fiorini and Shiller (1998), van den Berg et al. (2011) (D2, D6)",
    "arrive": f"{_REYNOLDS} (E2)",
    "follow_route": f"{_REYNOLDS} (E1)",
    "follow_flow": f"{_REYNOLDS} (E7)",
    "seek": f"{_REYNOLDS} (E2)",
    "pursue": f"{_REYNOLDS} (E2)",
    "follow": f"{_REYNOLDS} (E2)",
    "flee": f"{_REYNOLDS} (E2)",
    "head_for": _OWN,
    "trail": _OWN,
    "turn_away": _OWN,
    "personal_space": f"{_MAGES} (E3)",
    "keep_right": f"{_MAGES} (E5)",
    "keep_clear": f"van den Berg et al. (2011), shares by {_OWN}",
    "step_aside": _OWN,
    "along_walls": _OWN,
    "take_turns": _OWN,
    "keep_lane": f"{_OWN}, after the alignment of Reynolds (1987)",
    "keep_headway": "Tordeux, Chraibi and Seyfried (2016); Seyfried et al. (2005)",
    "keep_to_starboard": f"{_OWN}, after the side that people prefer, Moussaid et al. (2009)",
}
"""By the rule's name. Rules that users register have none."""
