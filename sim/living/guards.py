"""What changes what a user cannot set of worlds, groups, parts and sources."""

MADE = "give it to World(...)"
BY_GOING_ON = "it follows from the steps taken"
OF_WORLD = {
    "seed": MADE, "time_step": MADE, "map": MADE, "plane": "give World(...) bounds and edges",
    "groups": "use add_group", "solids": "use add_solid", "parts": "use add_solid",
    "areas": "use add_area and remove_area", "agenda": "use at, or agenda.sources",
    "space": "give it to World(...)", "time": BY_GOING_ON, "steps": BY_GOING_ON,
    "units": "use add_group, remove and the goals of groups",
    **dict.fromkeys(("roster", "site", "looking"), "they are the world's own"),
}  # fmt: skip
OTHER_GROUP = "add another group, and have units join it (world.regroup)"
OF_GROUP = {
    **dict.fromkeys(("name", "index", "model", "hull"), OTHER_GROUP),
    **dict.fromkeys(("terms", "figures", "command", "acting", "rows"), BY_GOING_ON),
    **dict.fromkeys(("sent", "parted"), BY_GOING_ON),
    "settings": "use configure",
    "ids": "use add and remove",
    "position": "use go_to",
    "velocity": "use go_to, or controls",
    "speeds": "set speed",
    "moving": "use go_to",
}
OTHER_PART = "take it away (remove) and add another (world.add_solid)"
OF_PART = {
    **dict.fromkeys(("name", "shape", "path", "loop"), OTHER_PART),
    **dict.fromkeys(("closed", "wanted", "body"), "use close and open"),
    **dict.fromkeys(("clock", "note"), BY_GOING_ON),
    "offset": "set velocity, or give it a path", "removed": "use remove",
}  # fmt: skip
OF_SOURCE = dict.fromkeys(
    ("group", "spawn", "rate", "poisson", "times", "start", "end", "total", "heading"),
    "put another source in its place",
)
