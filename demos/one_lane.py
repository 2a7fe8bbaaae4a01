"""One lane: two crowds share a bridge that is too narrow for two.

What to look for: units wait in a half circle round the end of the bridge, so that others can come
out; the two sides take turns. With P, a ring is green where units may enter, red where they wait.
With the rule `take_turns` switched off (Tab, or
`--set groups.west.behaviours.take_turns=false --set groups.east.behaviours.take_turns=false`)
both sides enter at once, meet in the middle, and stand there.
"""

from sim.demo import play

FILM = "--film-speed 4 --film-size 480x230 --film-fps 12.5 --ways"

if __name__ == "__main__":
    play(__file__)
