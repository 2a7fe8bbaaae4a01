"""Scenario files that are right, for tests to spoil."""

GOOD = """
title = "Two groups"
duration = 10

[[groups]]
name = "east"
model = "flock"
count = 2
speed = 1
hull = { shape = "disc", radius = 0.5 }
spawn = { region = [0, 0, 10, 10] }
goal = { point = [20, 0] }

[[groups]]
name = "west"
model = "flock"
spawn = { points = [[1, 2], [3, 4]] }
"""

EVERY_KEY = """
title = "Every key"
about = "Each key of the format, once."
seed = 7
duration = 60.0
time_step = 0.02
stop_when_arrived = false

[map]
file = "../maps/hallway.tmx"
tile = 30.0
bounds = [0, 0, 1024, 768]
edges = "wrap"
walls = [[0, 0, 40, 0]]
boxes = [[10, 10, 14, 12]]
circles = [[20, 8, 2.5]]

[[groups]]
name = "east"
model = "crowd"
count = 1
view = "wide"
speed = 1.3
hull = { shape = "disc", radius = 0.5, mass = 80.0 }
color = "red"
spawn = { region = [-20, -1, -10, 1], heading = 0 }
goal = { point = [15, 0], tolerance = 0.5, leave = true }

[groups.behaviours]
cohesion = { weight = 0.2 }
alignment = false
separation = { weight = 1.5, range = 2.0 }
approach = true

[[player]]
spawn = { points = [[512, 384]] }
script = [[0.0, 0.5, 0.0, 1.0]]
"""
