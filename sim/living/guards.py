"""What changes what cannot be set of a world."""

MADE = "give it to World(...)"
BY_STEPS = "it follows from the steps taken"
CHANGED_BY = {
    **dict.fromkeys(("seed", "time_step", "map", "space"), MADE),
    "plane": "give World(...) bounds and edges", "groups": "use add_group",
    "solids": "use add_solid", "parts": "use add_solid", "areas": "use add_area and remove_area",
    "agenda": "use at, or agenda.sources", "time": BY_STEPS, "steps": BY_STEPS,
    "units": "use add_group, remove and the goals of groups",
    **dict.fromkeys(("roster", "site", "looking"), "it is the world's own"),
}  # fmt: skip
