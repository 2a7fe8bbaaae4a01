"""Finding ways: planning grids, paths, flow fields, and progress along routes."""

from sim.navigation.flow import FlowField, flow_field
from sim.navigation.grid import Grid, planning_grid
from sim.navigation.paths import Path, plan
from sim.navigation.planner import Planner
from sim.navigation.routes import Routes, follow, routes
from sim.navigation.tickets import Ticket

__all__ = [
    "FlowField", "Grid", "Path", "Planner", "Routes", "Ticket",
    "flow_field", "follow", "plan", "planning_grid", "routes",
]  # fmt: skip
