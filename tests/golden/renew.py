"""Pin the figures of the golden runs anew."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from golden.runs import PINNED, renew

if __name__ == "__main__":
    renew()
    print(f"wrote {PINNED}")
