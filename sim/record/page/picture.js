"use strict";
// The picture: where the camera is, and what is painted.

const RIM_FROM = 9; // shorter hulls have no rim: it would be all that is left of them
const TRAIL = 3; // seconds

class Picture {
  constructor(canvas, motion) {
    this.canvas = canvas;
    this.motion = motion;
    this.context = canvas.getContext("2d");
    this.trails = this.follow = false;
    this.fit();
  }

  fit() {
    const [left, top, right, bottom] = this.motion.seen;
    this.centre = [(left + right) / 2, (top + bottom) / 2];
    this.zoom = 1;
  }

  get size() { return [this.canvas.clientWidth, this.canvas.clientHeight]; }

  get scale() { // pixels of the page to a world unit
    const [left, top, right, bottom] = this.motion.seen, [width, height] = this.size;
    return this.zoom * Math.min((width - 16) / (right - left), (height - 16) / (bottom - top));
  }

  toWorld(px, py) {
    const [width, height] = this.size;
    return [this.centre[0] + (px - width / 2) / this.scale, this.centre[1] + (py - height / 2) / this.scale];
  }

  toPage(x, y) {
    const [width, height] = this.size;
    return [width / 2 + (x - this.centre[0]) * this.scale, height / 2 + (y - this.centre[1]) * this.scale];
  }

  zoomAt(px, py, factor) { // what is under the pointer stays there
    const [x, y] = this.toWorld(px, py);
    this.zoom = Math.min(500, Math.max(0.2, this.zoom * factor));
    const [x2, y2] = this.toWorld(px, py);
    this.centre = [this.centre[0] + x - x2, this.centre[1] + y - y2];
  }

  pan(dx, dy) { // by pixels
    this.follow = false;
    this.centre = [this.centre[0] - dx / this.scale, this.centre[1] - dy / this.scale];
  }

  paint(time) {
    const now = this.motion.at(time), [width, height] = this.size, dots = window.devicePixelRatio || 1;
    if (this.follow) this._follow(now);
    if (this.canvas.width !== Math.round(width * dots) || this.canvas.height !== Math.round(height * dots)) {
      this.canvas.width = Math.round(width * dots);
      this.canvas.height = Math.round(height * dots);
    }
    const to = this.context, scale = this.scale;
    to.setTransform(dots, 0, 0, dots, 0, 0);
    to.fillStyle = this.motion.colors.outside;
    to.fillRect(0, 0, width, height);
    to.save();
    const [x, y] = this.toPage(0, 0);
    to.setTransform(dots * scale, 0, 0, dots * scale, dots * x, dots * y); // from here in world units
    this._land(to, 1 / scale, time);
    if (this.trails) this._trails(to, time, 1 / scale);
    this._units(to, now, 1 / scale);
    to.restore();
  }

  _follow(now) {
    let x = 0, y = 0, count = 0;
    for (let unit = 0; unit < this.motion.units; unit++) {
      if (now.here[unit]) { x += now.x[unit]; y += now.y[unit]; count++; }
    }
    if (count) this.centre = [x / count, y / count];
  }

  _land(to, pixel, time) {
    const { bounds, edges, colors, discs, boxes, walls, polygons } = this.motion;
    const [left, top] = this.toWorld(0, 0), [right, bottom] = this.toWorld(...this.size);
    if (bounds && edges !== "open") {
      const box = [bounds[0], bounds[1], bounds[2] - bounds[0], bounds[3] - bounds[1]];
      if (edges === "wall") {
        to.fillStyle = colors.edge;
        to.fillRect(box[0] - 3 * pixel, box[1] - 3 * pixel, box[2] + 6 * pixel, box[3] + 6 * pixel);
      }
      to.fillStyle = colors.ground;
      to.fillRect(...box);
      to.beginPath();
      to.rect(...box);
      to.clip();
    } else {
      to.fillStyle = colors.ground;
      to.fillRect(left, top, right - left, bottom - top);
    }
    for (const area of this.motion.areas) {
      if (this.motion.pose(area, time)[0]) this._solids(to, 0, area, null, 0, colors.area);
    }
    this._grid(to, pixel, left, top, right, bottom);
    const still = { discs, boxes, walls, polygons };
    this._solids(to, pixel, still, this.motion.outline);
    for (const part of this.motion.parts) {
      const [closed, x, y, angle] = this.motion.pose(part, time);
      if (!closed) continue;
      to.save();
      to.translate(x, y);
      this._solids(to, pixel, part, null, angle);
      to.restore();
    }
  }

  _solids(to, pixel, { discs, boxes, walls, polygons }, outline = null, angle = 0, color = this.motion.colors.solid) {
    const { colors, wraps } = this.motion;
    to.fillStyle = color;
    to.strokeStyle = colors.rim;
    for (const [dx, dy] of wraps ? this._images() : [[0, 0]]) {
      to.save();
      to.translate(dx, dy);
      to.rotate(angle);
      to.lineWidth = 1.3 * pixel;
      to.beginPath();
      for (const [l, t, r, b] of boxes) to.rect(l, t, r - l, b - t);
      for (const [x, y, radius] of discs) {
        to.moveTo(x + radius, y);
        to.arc(x, y, radius, 0, 2 * Math.PI);
      }
      for (const corners of polygons) {
        corners.forEach(([x, y], k) => (k ? to.lineTo(x, y) : to.moveTo(x, y)));
        to.closePath();
      }
      to.fill();
      if (!outline && pixel) to.stroke();
      to.lineWidth = 3 * pixel;
      to.beginPath();
      for (const [x1, y1, x2, y2] of walls) { to.moveTo(x1, y1); to.lineTo(x2, y2); }
      to.stroke();
      to.restore();
    }
    if (!outline) return;
    to.lineWidth = 1.3 * pixel;
    to.beginPath();
    for (const [x1, y1, x2, y2] of outline) { to.moveTo(x1, y1); to.lineTo(x2, y2); }
    to.stroke();
  }

  _images() {
    const [left, top, right, bottom] = this.motion.bounds, all = [];
    for (const i of [-1, 0, 1]) for (const j of [-1, 0, 1]) all.push([i * (right - left), j * (bottom - top)]);
    return all;
  }

  _grid(to, pixel, left, top, right, bottom) {
    const least = 56 * pixel, power = 10 ** Math.floor(Math.log10(least));
    const step = power * [1, 2, 5, 10].find((m) => power * m >= least * (1 - 1e-9));
    to.strokeStyle = this.motion.colors.grid;
    to.lineWidth = pixel;
    to.beginPath();
    for (let x = Math.ceil(left / step) * step; x <= right; x += step) { to.moveTo(x, top); to.lineTo(x, bottom); }
    for (let y = Math.ceil(top / step) * step; y <= bottom; y += step) { to.moveTo(left, y); to.lineTo(right, y); }
    to.stroke();
  }

  _trails(to, time, pixel) {
    const motion = this.motion, last = motion.frameAt(time), first = motion.frameAt(time - TRAIL);
    to.lineWidth = 1.5 * pixel;
    to.globalAlpha = 0.55;
    for (const group of motion.groups) {
      to.strokeStyle = group.color;
      to.beginPath();
      for (let unit = group.first; unit < group.first + group.count; unit++) {
        let before = null;
        for (let frame = first; frame <= last; frame++) {
          const gone = motion.absent[unit * motion.frames + frame], [x, y] = motion.place(unit, frame);
          const [dx, dy] = before ? motion.nearest(x - before[0], y - before[1]) : [0, 0];
          const jumped = !before || Math.abs(x - before[0] - dx) + Math.abs(y - before[1] - dy) > 1e-6 * motion.box[2];
          if (!gone) to[jumped ? "moveTo" : "lineTo"](x, y);
          before = gone ? null : [x, y];
        }
        if (before) {
          const [dx, dy] = motion.nearest(motion.now.x[unit] - before[0], motion.now.y[unit] - before[1]);
          to.lineTo(before[0] + dx, before[1] + dy);
        }
      }
      to.stroke();
    }
    to.globalAlpha = 1;
  }

  larger(group) { // times life size, as in sim/record/legible.py
    const [width, height] = this.size, length = group.length * this.scale, { crowd, larger, most } = this.motion;
    const room = crowd * Math.sqrt((width * height) / Math.max(1, most));
    return Math.max(1, Math.min(larger, group.legible / length, room / length));
  }

  _units(to, now, pixel) {
    for (const group of this.motion.groups) {
      const larger = this.larger(group);
      const body = new Path2D(), lead = new Path2D(), mark = new Path2D();
      for (let unit = group.first; unit < group.first + group.count; unit++) {
        if (!now.here[unit]) continue;
        const times = larger * (group.sizes ? group.sizes[unit - group.first] : 1);
        for (const [x, y] of this._twins(now.x[unit], now.y[unit], group.length * times)) {
          const matrix = new DOMMatrix().translate(x, y).rotate((now.angle[unit] * 180) / Math.PI).scale(times);
          (now.leads[unit] ? lead : body).addPath(group.body, matrix);
          if (group.mark) mark.addPath(group.mark, matrix);
        }
      }
      to.strokeStyle = group.rim;
      to.lineWidth = pixel;
      for (const [path, color] of [[body, group.color], [lead, group.lead]]) {
        to.fillStyle = color;
        to.fill(path);
        if ((group.length * larger) / pixel >= RIM_FROM) to.stroke(path);
      }
      to.fillStyle = group.marked;
      to.fill(mark);
    }
  }

  _twins(x, y, reach) { // a place and, near a seam, its images beyond it
    if (!this.motion.wraps) return [[x, y]];
    const [left, top, right, bottom] = this.motion.bounds;
    const across = x < left + reach ? [0, right - left] : x > right - reach ? [0, left - right] : [0];
    const down = y < top + reach ? [0, bottom - top] : y > bottom - reach ? [0, top - bottom] : [0];
    return across.flatMap((dx) => down.map((dy) => [x + dx, y + dy]));
  }
}

function outlines(group) { // a hull, and what shows its heading, as paths (ahead, starboard)
  const half = group.length / 2, side = group.width / 2, r = Math.min(half, side);
  const path = (corners) => new Path2D("M" + corners.map((corner) => corner.join(" ")).join("L") + "Z");
  if (group.shape === "wedge") {
    group.body = path([[-half, -side], [0, -side], [half, 0], [0, side], [-half, side]]);
    group.mark = path([[-half, -0.72 * side], [-half + 0.84 * half, 0], [-half, 0.72 * side]]);
    return;
  }
  group.mark = group.upright ? null : path([[0.74 * r, 0], [-0.44 * r, 0.56 * r], [-0.16 * r, 0], [-0.44 * r, -0.56 * r]]);
  group.body = path([[-half, -side], [half, -side], [half, side], [-half, side]]);
  if (group.shape === "disc") {
    group.body = new Path2D();
    group.body.arc(0, 0, r, 0, 2 * Math.PI);
  }
}
