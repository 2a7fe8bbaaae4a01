"""How the panel's buttons and sliders look in a theme."""

from __future__ import annotations

from typing import Any

from sim.screen.theme import Theme, hex_of, mix

LETTERS = 13
"""Height of its letters, points."""


def looks(theme: Theme) -> dict[str, Any]:
    """The theme as pygame_gui reads it."""
    plain, raised = mix(theme.panel, theme.faint, 0.16), mix(theme.panel, theme.faint, 0.34)
    on, ink = theme.color("blue"), theme.text
    on_ink = (255, 255, 255)
    faint = mix(theme.panel, theme.faint, 0.6)
    colours = {
        "normal_bg": plain, "hovered_bg": raised, "disabled_bg": theme.panel, "active_bg": on,
        "selected_bg": on, "dark_bg": theme.panel, "disabled_dark_bg": theme.panel,
        "normal_text": ink, "hovered_text": ink, "disabled_text": faint,
        "selected_text": on_ink, "active_text": on_ink,
        "normal_border": raised, "hovered_border": theme.faint, "disabled_border": plain,
        "selected_border": on, "active_border": on,
        "normal_border_shadow": plain,
    }  # fmt: skip
    flat = {"normal_bg": theme.panel, "normal_border": theme.panel}
    misc = {
        "shape": "rounded_rectangle",
        "shape_corner_radius": "4",
        "border_width": "1",
        "shadow_width": "0",
        "text_horiz_alignment_padding": "6",
    }
    font = {"name": "noto_sans", "size": str(LETTERS), "antialiased": "1"}
    left = {"text_horiz_alignment": "left", "text_horiz_alignment_padding": "2"}
    return {
        "defaults": {
            "colours": {name: hex_of(color) for name, color in colours.items()},
            "font": font,
            "misc": misc,
        },
        "button": {"misc": misc},
        "drop_down_menu": {"misc": misc},
        "label": {"misc": left},
        "@title": {"font": {**font, "size": str(LETTERS + 3), "bold": "1"}, "misc": left},
        "@faint": {"font": font, "colours": {"normal_text": hex_of(theme.faint)}, "misc": left},
        "@figure": {"misc": {"text_horiz_alignment": "right"}},
        "@middle": {"misc": {"text_horiz_alignment": "center"}},
        "@rule": {
            "colours": {name: hex_of(color) for name, color in flat.items()},
            "misc": {**misc, **left, "text_horiz_alignment_padding": "4"},
        },
        "horizontal_slider": {
            "colours": {"dark_bg": hex_of(plain), "normal_border": hex_of(plain)},
            "misc": {**misc, "enable_arrow_buttons": "0", "sliding_button_width": "12"},
        },
        "horizontal_slider.#sliding_button": {
            "colours": {"normal_bg": hex_of(theme.faint), "hovered_bg": hex_of(ink),
                        "disabled_bg": hex_of(plain)},
            "misc": misc,
        },
    }  # fmt: skip
