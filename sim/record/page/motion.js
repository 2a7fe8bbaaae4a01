"use strict";
// The motion: what Python packed, unpacked; and where everybody is at any time.

const TURN = 1024; // steps of an angle to a full turn

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Motion {
  constructor(head, bytes) {
    Object.assign(this, head); // times, units, box, wraps, gone, led, groups, ...
    const frames = (this.frames = this.times.length), units = this.units, cells = frames * units;
    const at = (column) => this._column(bytes, column * cells, 3 * cells, cells);
    [this.x, this.y, this.turn] = [at(0), at(1), at(2)];
    this.leads = this.led ? bytes.subarray(6 * cells) : null;
    this.absent = new Uint8Array(cells);
    for (const [unit, first, last] of this.gone) {
      this.absent.fill(1, unit * frames + first, unit * frames + last);
    }
    this.now = { x: new Float64Array(units), y: new Float64Array(units), angle: new Float64Array(units),
                 here: new Uint8Array(units), leads: new Uint8Array(units) };
  }

  // Second differences in 16 bits, high bytes and low bytes apart, unit by unit.
  _column(bytes, from, low, cells) {
    const values = new Uint16Array(cells), frames = this.frames;
    for (let start = 0; start < cells; start += frames) {
      let value = 0, slope = 0;
      for (let k = start; k < start + frames; k++) {
        slope = (slope + ((bytes[from + k] << 8) | bytes[low + from + k])) & 65535;
        value = (value + slope) & 65535;
        values[k] = value;
      }
    }
    return values;
  }

  get start() { return this.times[0]; }
  get end() { return this.times[this.frames - 1]; }

  frameAt(time) { // the last frame that is not later
    let low = 0, high = this.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time + 1e-9) low = middle; else high = middle - 1;
    }
    return low;
  }

  pose(part, time) { // whether a part stands there at a time, and how far it is off its place: x, y, angle
    const frame = this.frameAt(time), next = Math.min(frame + 1, this.frames - 1);
    const now = this._state(part, frame), then = this._state(part, next);
    const span = this.times[next] - this.times[frame];
    if (!(span > 0 && now[0] && then[0])) return now;
    const share = Math.min(1, Math.max(0, (time - this.times[frame]) / span));
    return now.map((value, k) => value + share * (then[k] - value));
  }

  _state(part, frame) {
    let low = 0, high = part.changes.length; // the changes before `low` are not later than the frame
    while (low < high) {
      const middle = (low + high) >> 1;
      if (part.changes[middle][0] <= frame) low = middle + 1; else high = middle;
    }
    return low ? part.changes[low - 1].slice(1) : [0, 0, 0, 0];
  }

  place(unit, frame) { // of a unit at a frame, world units
    const [left, top, width, height] = this.box, k = unit * this.frames + frame;
    return [left + (this.x[k] / 65535) * width, top + (this.y[k] / 65535) * height];
  }

  at(time) { // fills and gives `now`: everybody at a time, between frames on the straight line
    const frame = this.frameAt(time), next = Math.min(frame + 1, this.frames - 1), now = this.now;
    const span = this.times[next] - this.times[frame];
    const share = span > 0 ? Math.min(1, Math.max(0, (time - this.times[frame]) / span)) : 0;
    for (let unit = 0; unit < this.units; unit++) {
      const k = unit * this.frames + frame, m = unit * this.frames + next;
      const [x, y] = this.place(unit, frame), [x2, y2] = this.place(unit, next);
      const [dx, dy] = this.nearest(x2 - x, y2 - y), alone = this.absent[m];
      now.here[unit] = 1 - this.absent[k];
      now.x[unit] = x + (alone ? 0 : share * dx);
      now.y[unit] = y + (alone ? 0 : share * dy);
      const turned = ((this.turn[m] - this.turn[k]) << 16) >> 16;
      now.angle[unit] = ((this.turn[k] + (alone ? 0 : share * turned)) * 2 * Math.PI) / TURN;
      now.leads[unit] = this.leads ? (this.leads[k >> 3] >> (7 - (k & 7))) & 1 : 0;
    }
    return now;
  }

  nearest(dx, dy) { // the shortest of an offset's images
    if (!this.wraps) return [dx, dy];
    const [left, top, right, bottom] = this.bounds;
    return [dx - (right - left) * Math.round(dx / (right - left)), dy - (bottom - top) * Math.round(dy / (bottom - top))];
  }
}
