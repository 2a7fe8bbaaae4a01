"use strict";
// The player: time, keys, mouse and buttons.

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

class Player {
  constructor(motion, picture) {
    this.motion = motion;
    this.picture = picture;
    this.time = motion.start;
    this.speed = 1;
    this.playing = false;
    this._last = null;
    this._due = false;
    const byId = (name) => document.getElementById(name);
    [this.bar, this.clock, this.button, this.choice] = ["bar", "clock", "play", "speed"].map(byId);
    this.bar.min = motion.start;
    this.bar.max = motion.end;
    this._listen(byId);
    this.seek(this.time);
  }

  play(on) {
    if (on && this.time >= this.motion.end) this.time = this.motion.start;
    this.playing = on;
    this._last = null;
    this.button.innerHTML = on ? "&#10074;&#10074;" : "&#9654;";
    this.draw();
  }

  seek(time) {
    this.time = Math.min(this.motion.end, Math.max(this.motion.start, time));
    this.draw();
  }

  go(speed) {
    this.speed = speed;
    this.choice.value = String(speed);
  }

  step(frames) {
    this.play(false);
    const frame = this.motion.frameAt(this.time) + frames;
    this.seek(this.motion.times[Math.min(this.motion.frames - 1, Math.max(0, frame))]);
  }

  draw() { // once, when the browser next draws, however often it is asked for
    if (this._due) return;
    this._due = true;
    requestAnimationFrame((stamp) => {
      this._due = false;
      if (this.playing) this._advance(stamp);
      this.picture.paint(this.time);
      this.bar.value = this.time;
      const shown = (seconds) => seconds.toFixed(1);
      this.clock.textContent = `${shown(this.time)} of ${shown(this.motion.end)} s`;
      if (this.playing) this.draw();
    });
  }

  _advance(stamp) {
    if (this._last !== null) this.time += this.speed * Math.min(0.25, (stamp - this._last) / 1000);
    this._last = stamp;
    if (this.time >= this.motion.end) {
      this.time = this.motion.end;
      this.play(false);
    }
  }

  _toggle(name) {
    this.picture[name] = !this.picture[name];
    document.getElementById(name).checked = this.picture[name];
    this.draw();
  }

  _zoom(factor) {
    const [width, height] = this.picture.size;
    this.picture.zoomAt(width / 2, height / 2, factor);
    this.draw();
  }

  _pan(dx, dy) {
    this.picture.pan(dx, dy);
    document.getElementById("follow").checked = this.picture.follow;
    this.draw();
  }

  _fit() {
    this.picture.fit();
    this.draw();
  }

  _help(byId) {
    byId("help").hidden = !byId("help").hidden;
    byId("keys").setAttribute("aria-expanded", String(!byId("help").hidden));
  }

  _listen(byId) {
    const canvas = this.picture.canvas;
    this.button.onclick = () => this.play(!this.playing);
    this.bar.oninput = () => this.seek(Number(this.bar.value));
    this.choice.onchange = () => this.go(Number(this.choice.value));
    for (const name of ["trails", "follow"]) byId(name).onchange = () => this._toggle(name);
    byId("fit").onclick = () => this._fit();
    byId("keys").onclick = () => this._help(byId);
    canvas.onwheel = (event) => {
      event.preventDefault();
      this.picture.zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY / 400));
      this.draw();
    };
    canvas.onpointerdown = (event) => canvas.setPointerCapture(event.pointerId);
    canvas.onpointermove = (event) => { if (event.buttons) this._pan(event.movementX, event.movementY); };
    window.onresize = () => this.draw();
    window.onkeydown = (event) => this._press(event, byId);
  }

  _press(event, byId) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const jump = event.shiftKey ? 5 : 1, faster = SPEEDS[SPEEDS.indexOf(this.speed) + 1];
    const slower = SPEEDS[SPEEDS.indexOf(this.speed) - 1];
    const deeds = {
      " ": () => this.play(!this.playing),
      ArrowLeft: () => this.seek(this.time - jump), ArrowRight: () => this.seek(this.time + jump),
      ",": () => this.step(-1), ".": () => this.step(1),
      Home: () => this.seek(this.motion.start), End: () => this.seek(this.motion.end),
      "+": () => faster && this.go(faster), "=": () => faster && this.go(faster),
      "-": () => slower && this.go(slower),
      z: () => this._zoom(1.25), x: () => this._zoom(0.8), 0: () => this._fit(),
      a: () => this._pan(60, 0), d: () => this._pan(-60, 0), w: () => this._pan(0, 60), s: () => this._pan(0, -60),
      t: () => this._toggle("trails"), f: () => this._toggle("follow"), h: () => this._help(byId),
    };
    const deed = deeds[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const own = event.target === this.choice || (event.key === " " && event.target.matches("button, [type=checkbox]"));
    if (!deed || own) return; // what has the keyboard answers keys of its own
    event.preventDefault();
    deed();
  }
}

function legend(motion) {
  const box = document.getElementById("legend");
  for (const group of motion.groups) {
    const row = box.appendChild(document.createElement("div"));
    row.appendChild(document.createElement("i")).style.background = group.color;
    row.appendChild(document.createElement("span")).textContent = `${group.name} (${group.most})`;
  }
}

async function open() {
  const text = (name) => document.getElementById(name).textContent;
  const motion = new Motion(JSON.parse(text("head")), await inflate(text("motion")));
  motion.groups.forEach(outlines);
  legend(motion);
  const picture = new Picture(document.getElementById("picture"), motion);
  const player = (window.player = new Player(motion, picture));
  if (!motion.bounds) player._toggle("follow");
  const at = Number(location.hash.slice(1)); // page.html#12.5 opens at 12.5 s, and waits
  if (location.hash.length > 1 && Number.isFinite(at)) player.seek(at);
  else player.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  document.documentElement.dataset.ready = "yes";
}

open().catch((error) => {
  const said = document.getElementById("error");
  said.textContent = `This browser cannot show the run: ${error.message}`;
  said.hidden = false;
});
