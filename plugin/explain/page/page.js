// Draws the page of `tessera explain` from the data that stands in it (explain/Study.h says what is
// there). The data is only ever put in as text: nothing of a program can become markup.
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);

// ---- Layouts: which thread holds what. As plugin/layout/LinearLayout.h has it -----------------

const xorOf = (bases, bits) => bases.reduce((x, basis, i) => (bits >> i) & 1 ? x ^ basis : x, 0);
const countOf = (bases) => 2 ** bases.length;
const sizeOf = (shape) => shape.reduce((x, y) => x * y, 1);

// The row-major index of the element in a register of a lane of a warp.
const elementOf = (tile, register, lane, warp) =>
  xorOf(tile.registers, register) ^ xorOf(tile.lanes, lane) ^ xorOf(tile.warps, warp);

// For each element its first holder, and how many there are.
function holdersOf(tile) {
  const size = sizeOf(tile.shape);
  const holders = { warp: new Int32Array(size).fill(-1), lane: new Int32Array(size),
    register: new Int32Array(size), copies: new Int32Array(size) };
  for (let warp = 0; warp < countOf(tile.warps); ++warp)
    for (let lane = 0; lane < countOf(tile.lanes); ++lane)
      for (let register = 0; register < countOf(tile.registers); ++register) {
        const element = elementOf(tile, register, lane, warp);
        if (holders.copies[element]++) continue;
        holders.warp[element] = warp;
        holders.lane[element] = lane;
        holders.register[element] = register;
      }
  return holders;
}

// The byte at which an element of a shared tile lies, from the tile's start.
function byteOf(shared, index) {
  const [bits, base, shift] = shared.swizzle;
  const offset = index ^ (((index >> (base + shift)) & ((1 << bits) - 1)) << base);
  return offset * shared.elementBytes;
}
const bankOf = (shared, index) => (byteOf(shared, index) >> 2) & 31;

globalThis.tesseraPage = { data, elementOf, holdersOf, byteOf, bankOf };

// ---- Building ------------------------------------------------------------------------------------

const byId = (id) => document.getElementById(id);

// Lists by a key, in the order of their first members.
function grouped(list, keyOf) {
  const groups = new Map();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

// make("p.quiet", {title: "x"}, "text", child, ...)
function make(what, attributes, ...children) {
  const [name, ...classes] = what.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  return filled(element, attributes, children);
}
function drawn(name, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {}))
    if (value !== undefined) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== undefined && child !== ""));
  return element;
}

const plural = (n, one, many = one + "s") => `${n} ${n === 1 ? one : many}`;
const bytesText = (n) => n >= 1024 && n % 256 === 0 ? `${n / 1024} KiB` : `${n} bytes`;
const shapeText = (shape) => shape.length ? shape.join("\u00d7") : "scalar";

// Colours of a count of things; `position` from 0 to 1 where their order matters.
const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches
  ? document.documentElement.dataset.theme !== "light"
  : document.documentElement.dataset.theme === "dark";
const hueOf = (hue) => isDark() ? `oklch(0.72 0.085 ${hue % 360})` : `oklch(0.83 0.075 ${hue % 360})`;
const colour = (index, count) => hueOf(215 + 290 * (count > 1 ? index / count : 0));

// ---- Code ----------------------------------------------------------------------------------------

const keywords = new Set(("alignas auto bool break case char class const constexpr continue decltype " +
  "default do double else enum extern false float for if inline int long namespace operator " +
  "private public requires return short signed sizeof static struct switch template this true " +
  "typename union unsigned using virtual void volatile while __global__ __device__ " +
  "__tile_global__ __tile__ __restrict__ __launch_bounds__ __host__").split(" "));
const token = /(\/\/.*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\b\d[\w.]*)|([A-Za-z_]\w*)/g;

// A line of C++ as text nodes and coloured spans. `state.inComment`: a comment goes on.
function coloured(text, state) {
  const parts = [];
  const put = (kind, piece) => piece && parts.push(kind ? make(`span.${kind}`, {}, piece) : piece);
  if (!state.inComment && /^\s*#/.test(text)) return [make("span.p", {}, text)];
  let rest = text;
  while (rest) {
    if (state.inComment) {
      const end = rest.indexOf("*/");
      put("c", end < 0 ? rest : rest.slice(0, end + 2));
      rest = end < 0 ? "" : rest.slice(end + 2);
      state.inComment = end < 0;
      continue;
    }
    const start = rest.search(/\/\*|\/\/|"/);
    const isBlock = start >= 0 && rest.startsWith("/*", start);
    const code = isBlock ? rest.slice(0, start) : rest;
    let last = 0;
    for (const found of code.matchAll(token)) {
      put("", code.slice(last, found.index));
      const [whole, comment, string, number, word] = found;
      put(comment ? "c" : string ? "s" : number ? "d" : keywords.has(word) ? "k" : "", whole);
      last = found.index + whole.length;
    }
    put("", code.slice(last));
    rest = isBlock ? rest.slice(start) : "";
    state.inComment = isBlock;
    if (isBlock) { put("c", "/*"); rest = rest.slice(2); }
  }
  return parts;
}

function lineOf(number, text, state, key) {
  const indent = text.length - text.trimStart().length;
  const content = make("span.t", {}, ...coloured(text, state));
  content.style.setProperty("--indent", indent);
  const line = make("div.line", { role: "option", "aria-selected": "false", "data-key": key },
    make("span.n", { "aria-hidden": "true" }, String(number)), content);
  return line;
}

const locationKey = (location) => `${location[0]}:${location[1]}`;

class Pane {
  constructor(id) {
    this.root = byId(id);
    this.box = this.root.querySelector(".lines");
    this.lines = [];
    this.box.addEventListener("pointerover", (event) => this.enter(event.target.closest(".line")));
    this.box.addEventListener("pointerleave", () => this.onHover?.(null));
    this.box.addEventListener("click", (event) => {
      const line = event.target.closest(".line");
      if (line && !getSelection().toString()) this.choose(line);
    });
    this.box.addEventListener("keydown", (event) => this.step(event));
    this.box.addEventListener("focus", () => {
      if (this.box.matches(":focus-visible")) this.choose(this.active ?? this.lines[0]);
    });
  }
  show(children) {
    this.box.replaceChildren(...children);
    this.lines = [...this.box.querySelectorAll(".line")];
    this.lines.forEach((line, i) => { line.id = `${this.root.id}-${i}`; });
    this.active = undefined;
    this.box.removeAttribute("aria-activedescendant");
  }
  enter(line) { if (line) this.onHover?.(line); }
  choose(line) {
    if (!line) return;
    this.active?.setAttribute("aria-selected", "false");
    this.active = line;
    line.setAttribute("aria-selected", "true");
    this.box.setAttribute("aria-activedescendant", line.id);
    this.reveal(line);
    this.onHover?.(line);
    this.onChoose?.(line);
  }
  step(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = this.lines.indexOf(this.active);
    this.choose(this.lines[Math.max(0, Math.min(this.lines.length - 1, at + by))]);
  }
  // Scrolls the pane, and nothing around it.
  reveal(line, toMiddle = false) {
    const top = line.offsetTop, bottom = top + line.offsetHeight, box = this.box;
    const isSeen = top >= box.scrollTop && bottom <= box.scrollTop + box.clientHeight;
    if (!isSeen || toMiddle) box.scrollTop = top - box.clientHeight / 3;
  }
}

const source = new Pane("source"), emitted = new Pane("emitted");
let kernel; // that is shown

// What belongs together: by the number of an emitted line, and by the location of a source line.
let linesOfLocation = new Map();

function showEmitted() {
  linesOfLocation = new Map();
  const state = {};
  emitted.show(kernel.lines.map(([text, ...locations], i) => {
    const line = lineOf(i + 1, text, state, String(i));
    for (const location of locations) {
      const key = locationKey(location);
      linesOfLocation.set(key, [...(linesOfLocation.get(key) ?? []), i]);
    }
    line.classList.toggle("tied", locations.length > 0);
    return line;
  }));
  byId("emitted-name").textContent = `${kernel.id}, ${kernel.target}`;
  emitted.box.scrollTop = 0;
}

function remarkOf(remark) {
  const item = make("li.remark", { "data-topic": remark.topic }, remark.text);
  if (remark.advice) {
    item.classList.add("has-advice");
    const copy = make("button", { type: "button" }, "copy");
    copy.addEventListener("click", (event) => {
      event.stopPropagation();
      navigator.clipboard?.writeText(remark.advice).then(() => {
        copy.textContent = "copied";
        setTimeout(() => { copy.textContent = "copy"; }, 1500);
      }, () => {});
    });
    item.append(make("div.advice", {}, make("code", {}, remark.advice), copy));
  }
  return item;
}

function showSource() {
  const remarks = grouped(kernel.remarks.filter((r) => r.location), (r) => locationKey(r.location));
  const children = [];
  for (const file of data.files) {
    if (data.files.length > 1) children.push(make("div.file", {}, file.name));
    const state = {};
    const texts = file.text.split("\n");
    if (texts.at(-1) === "") texts.pop();
    texts.forEach((text, i) => {
      const key = locationKey([file.name, i + 1]);
      const line = lineOf(i + 1, text, state, key);
      line.classList.toggle("tied", linesOfLocation.has(key));
      children.push(line);
      if (remarks.has(key))
        children.push(make("ul.remarks", {}, ...remarks.get(key).map(remarkOf)));
      remarks.delete(key);
    });
  }
  // By #line a program may name lines that are in no file.
  const others = [...remarks.values()].flat().concat(kernel.remarks.filter((r) => !r.location));
  if (others.length) children.unshift(make("ul.remarks", {}, ...others.map(remarkOf)));
  source.show(children);
  const key = kernel.location && locationKey(kernel.location);
  const first = source.lines.find((line) => line.dataset.key === key);
  if (first) source.reveal(first, true);
}

// Lights up the lines that belong to one, in the other text.
function partnersOf(line) {
  if (!line) return [];
  if (line.closest("#source"))
    return (linesOfLocation.get(line.dataset.key) ?? []).map((i) => emitted.lines[i]);
  const keys = new Set(kernel.lines[+line.dataset.key].slice(1).map(locationKey));
  return source.lines.filter((other) => keys.has(other.dataset.key));
}
function light(line, lines = partnersOf(line)) {
  document.querySelectorAll(".line.lit, .line.here")
    .forEach((other) => other.classList.remove("lit", "here"));
  line?.classList.add("here");
  lines.forEach((other) => other.classList.add("lit"));
}
source.onHover = emitted.onHover = (line) => light(line);
source.onChoose = (line) => partnersOf(line).slice(0, 1).forEach((other) => emitted.reveal(other));
emitted.onChoose = (line) => partnersOf(line).slice(0, 1).forEach((other) => source.reveal(other));

// Lines of the emitted kernel, from a picture; with their lines of the program.
function lightEmitted(numbers) {
  const lines = numbers.map((i) => emitted.lines[i]).filter(Boolean);
  light(null, [...lines, ...lines.flatMap(partnersOf)]);
}

// ---- The table of kernels -----------------------------------------------------------------------

const unit = (text) => make("span.unit", {}, text);
const dash = "\u2013";
const columns = [
  ["GPU", (k) => [k.target]],
  ["Warps", (k) => [String(k.warps)]],
  ["Threads", (k) => [String(k.threads)]],
  ["Registers", (k) => [k.registers === undefined ? dash : String(k.registers)]],
  ["Spills", (k) => k.registers === undefined ? [dash]
    : [make(k.spills ? "span.spilled" : "span", {}, k.spills ? bytesText(k.spills) : "none")]],
  ["Shared memory", (k) => [bytesText(k.sharedBytes), meter(k.sharedBytes / k.sharedOfBlock)]],
  ["Blocks per SM", (k) => [String(k.blocks)]],
  ["Advice", (k) => [String(k.remarks.filter((r) => r.advice).length || "none")]],
];
// Where tessera profile has measured, which was it, and what the plan says of it?
const percent = (n) => n === null ? "?" : `${Math.round(n)} %`;
const profilesOf = (k) => k.profiles ?? [];
if (data.kernels.some((k) => k.profiles))
  columns.push(["Measured", (k) => profilesOf(k).length
    ? [make("span", { title: profilesOf(k).map((p) => p.shares.map((s) =>
        `${s.unit} ${percent(s.measured)}` +
        (s.predicted === null ? "" : `, predicted ${percent(s.predicted)}`)).join("\n")).join("\n\n") },
      profilesOf(k).map((p) => `${p.microseconds.toFixed(1)} us, ${p.limit}`).join("; "))]
    : ["not run"]]);
function meter(part) {
  const bar = make("i");
  bar.style.width = `${Math.min(100, 100 * part)}%`;
  return make("span.meter", { title: `${Math.round(100 * part)} % of what a block may have` }, bar);
}

function showKernels() {
  const table = byId("kernels");
  table.tHead.replaceChildren(make("tr", {}, make("th", { scope: "col" }, "Kernel"),
    ...columns.map(([title]) => make("th", { scope: "col" }, title))));
  table.tBodies[0].replaceChildren(...data.kernels.map((k, i) => {
    const row = make("tr", {},
      make("td", {}, make("button", { type: "button" }, k.name)),
      ...columns.map(([title, cells]) => make("td", { "data-label": title }, ...cells(k))));
    row.addEventListener("click", () => show(i));
    return row;
  }));
  byId("kernels-hint").textContent = data.compiler
    ? `Registers and spills as ${data.compiler} gives them out; blocks are those that fit one SM.`
    : "Registers and spills are not known: no compiler for GPUs has run. Blocks per SM are by " +
      "threads and shared memory alone.";
}

// ---- Tiles in registers -------------------------------------------------------------------------

const cornerRows = 8, cornerColumns = 16, most = 128;

// A tile as rows and columns to draw: leading dimensions are rows, a long row is folded, and of
// what is too large its first part is shown.
function gridOf(shape) {
  let columns = shape.at(-1) ?? 1, rows = sizeOf(shape) / columns, folded = false;
  while (columns > most || columns > 8 * rows) { columns /= 2; rows *= 2; folded = true; }
  return { columns, rows: Math.min(rows, most), folded, isCut: rows > most };
}

function picture(grid, width, label, colourAt) {
  const cell = Math.max(1, Math.floor(width / Math.max(grid.columns, grid.rows)));
  const canvas = make("canvas", { role: "img", tabindex: "0", "aria-label": label });
  const scale = 2; // device pixels, so that borders stay sharp
  canvas.width = cell * grid.columns * scale;
  canvas.height = cell * grid.rows * scale;
  canvas.style.width = `${cell * grid.columns}px`;
  const paint = (marked) => {
    const pen = canvas.getContext("2d");
    const gap = cell >= 6 ? scale : 0;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (let row = 0; row < grid.rows; ++row)
      for (let column = 0; column < grid.columns; ++column) {
        const index = row * grid.columns + column;
        pen.globalAlpha = marked && !marked(index) ? 0.22 : 1;
        pen.fillStyle = colourAt(index);
        pen.fillRect(column * cell * scale, row * cell * scale, cell * scale - gap,
          cell * scale - gap);
      }
  };
  return { canvas, paint, cell };
}

// Moves a cursor over pictures of one grid, by pointer or arrow keys.
function withCursor(pictures, grid, read) {
  let at = 0;
  const set = (index) => {
    at = Math.max(0, Math.min(grid.rows * grid.columns - 1, index));
    read(at);
  };
  for (const { canvas } of pictures) {
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left) / box.width * grid.columns);
      const row = Math.floor((event.clientY - box.top) / box.height * grid.rows);
      set(row * grid.columns + column);
    });
    canvas.addEventListener("pointerleave", () => read(-1));
    canvas.addEventListener("blur", () => read(-1));
    canvas.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.columns,
        ArrowDown: grid.columns }[event.key];
      if (!by) return;
      event.preventDefault();
      set(at + by);
    });
  }
}

function coordinates(shape, index) {
  const result = [];
  for (const extent of [...shape].reverse()) {
    result.unshift(index % extent);
    index = Math.floor(index / extent);
  }
  return `(${result.join(", ")})`;
}

function scaleOf(count, name) {
  const bar = make("i");
  const stops = Array.from({ length: Math.min(count, 16) }, (_, i) =>
    colour(i * count / Math.min(count, 16), count));
  bar.style.background = stops.length > 1
    ? `linear-gradient(90deg, ${stops.flatMap((c, i) => [`${c} ${100 * i / stops.length}%`,
      `${c} ${100 * (i + 1) / stops.length}%`]).join(", ")})`
    : stops[0];
  return make("div.scale", {}, `${name} 0`, bar, count > 1 ? String(count - 1) : "");
}

// The first rows and columns, each element with its lane and register.
function cornerOf(tile, holders) {
  const columns = Math.min(cornerColumns, tile.shape.at(-1) ?? 1);
  const rows = Math.min(cornerRows, sizeOf(tile.shape) / (tile.shape.at(-1) ?? 1));
  const body = make("tbody");
  for (let row = 0; row < rows; ++row) {
    const cells = [];
    for (let column = 0; column < columns; ++column) {
      const index = row * (tile.shape.at(-1) ?? 1) + column;
      const cell = make("td", {}, `T${holders.warp[index] * 32 + holders.lane[index]}`,
        make("small", {}, `r${holders.register[index]}`));
      cell.style.background = colour(holders.lane[index], 32);
      cells.push(cell);
    }
    body.append(make("tr", {}, ...cells));
  }
  return make("figure", {}, make("figcaption", {}, "first corner: thread and register"),
    make("div.scroller", { tabindex: "0", role: "group", "aria-label": "First corner of the tile" },
      make("table.corner", {}, body)));
}

function tileCard(tile) {
  const holders = holdersOf(tile), grid = gridOf(tile.shape);
  const views = [["warp", countOf(tile.warps)], ["lane", countOf(tile.lanes)],
    ["register", countOf(tile.registers)]];
  const reading = make("p.reading", { role: "status" });
  const pictures = views.map(([name, count]) =>
    picture(grid, 256, `Elements of the tile by ${name}; arrow keys move over them`,
      (index) => colour(holders[name][index], count)));
  const paint = (marked) => pictures.forEach((p) => p.paint(marked));
  const rest = "move over a picture to see who holds an element, and what else that thread holds";
  withCursor(pictures, grid, (index) => {
    if (index < 0) { reading.textContent = rest; return paint(); }
    const warp = holders.warp[index], lane = holders.lane[index], copies = holders.copies[index];
    paint((other) => holders.warp[other] === warp && holders.lane[other] === lane);
    reading.textContent = `element ${coordinates(tile.shape, index)}: thread ${warp * 32 + lane} ` +
      `(warp ${warp}, lane ${lane}), register ${holders.register[index]}` +
      (copies > 1 ? `; ${copies} places hold it` : "");
  });
  reading.textContent = rest;
  paint();
  const names = tile.names.length ? tile.names.join(", ") : "between operations";
  const card = make("article.card", {},
    make("header", {}, make("h3", {}, make("code", {}, `${tile.element}, ${shapeText(tile.shape)}`)),
      make("p", {}, `${names} \u00b7 ${plural(countOf(tile.registers), "element")} a thread` +
        (grid.folded ? ` \u00b7 rows folded at ${grid.columns}` : "") +
        (grid.isCut ? ` \u00b7 the first ${grid.rows} rows` : ""))),
    make("div.pictures", {},
      ...views.map(([name, count], i) => make("figure", {},
        make("figcaption", {}, `by ${name}`), pictures[i].canvas, scaleOf(count, name))),
      cornerOf(tile, holders)),
    reading);
  card.addEventListener("pointerenter", () => lightEmitted(tile.lines));
  card.addEventListener("pointerleave", () => light(null));
  return card;
}

// ---- Shared memory ------------------------------------------------------------------------------

const sharedName = (shared) =>
  `${shared.name ? `${shared.name}: ` : ""}${shared.element}, ${shapeText(shared.shape)}`;
const sharedColour = (i) => hueOf(215 + 137 * i);

// Bytes from top to bottom, the kernel's lines from left to right.
function timeOf() {
  const width = 1000, left = 70, right = 12, top = 26, height = 210;
  const from = Math.min(...kernel.shared.map((s) => s.first), ...kernel.loops.map((l) => l.first));
  const to = Math.max(...kernel.shared.map((s) => s.last), ...kernel.loops.map((l) => l.last)) + 1;
  const x = (line) => left + (line - from) / Math.max(1, to - from) * (width - left - right);
  const y = (byte) => top + byte / Math.max(1, kernel.sharedBytes) * height;
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${top + height + 34}`, role: "group",
    "aria-label": "Shared memory over the lines of the kernel" });
  for (const loop of kernel.loops) {
    svg.append(drawn("rect", { class: "band", x: x(loop.first), y: top - 18, rx: 5,
      width: x(loop.last + 1) - x(loop.first), height: height + 24 }));
    svg.append(drawn("text", { x: x(loop.first) + 7, y: top - 6 },
      loop.location ? `loop of line ${loop.location[1]}` : "loop"));
  }
  kernel.shared.forEach((shared, i) => {
    const box = { x: x(shared.first), y: y(shared.offset),
      width: Math.max(3, x(shared.last + 1) - x(shared.first)),
      height: Math.max(2, y(shared.bytes) - y(0)) };
    const group = drawn("g", {});
    const label = `${sharedName(shared)}` +
      (shared.stages > 1 ? `, ${shared.stages} stages` : "");
    group.append(drawn("rect", { class: "block", ...box, rx: 4, fill: sharedColour(i), tabindex: 0,
      role: "img", "aria-label": `${label}: bytes ${shared.offset} to ` +
        `${shared.offset + shared.bytes}, lines ${shared.first + 1} to ${shared.last + 1}` },
    drawn("title", {}, `${label}, ${bytesText(shared.bytes)} from byte ${shared.offset}`)));
    for (let stage = 1; stage < shared.stages; ++stage) {
      const at = box.y + box.height * stage / shared.stages;
      group.append(drawn("line", { class: "stage", x1: box.x, x2: box.x + box.width, y1: at, y2: at }));
    }
    if (box.height > 13 && box.width > 7 * label.length)
      group.append(drawn("text", { class: "label", x: box.x + 8, y: box.y + 14 }, label));
    const enter = () => lightEmitted(shared.accesses.map((a) => a.line));
    group.addEventListener("pointerenter", enter);
    group.addEventListener("focusin", enter);
    group.addEventListener("pointerleave", () => light(null));
    svg.append(group);
  });
  svg.append(drawn("line", { class: "axis", x1: left, x2: left, y1: top, y2: top + height }));
  for (let i = 0; i <= 4; ++i) {
    const byte = kernel.sharedBytes * i / 4;
    svg.append(drawn("text", { x: left - 8, y: y(byte) + 4, "text-anchor": "end" },
      byte >= 1024 ? `${+(byte / 1024).toFixed(1)} KiB` : `${Math.round(byte)} B`));
  }
  svg.append(drawn("text", { x: left, y: top + height + 24 }, `line ${from + 1}`),
    drawn("text", { x: width - right, y: top + height + 24, "text-anchor": "end" }, `line ${to}`));
  return make("div.time", { tabindex: "0", role: "group", "aria-label": "Shared memory over time" }, svg);
}

// A ring while its loop runs: which stage is read, which one is filled.
function iterationsOf(stages, names) {
  const iterations = Math.min(2 * stages, 6), head = [make("th", { scope: "col" }, "iteration")];
  for (let iteration = 0; iteration < iterations; ++iteration)
    head.push(make("th", { scope: "col" }, iteration ? `i + ${iteration}` : "i"));
  const rows = [];
  for (let stage = 0; stage < stages; ++stage) {
    const cells = [make("th", { scope: "row" }, `stage ${stage}`)];
    for (let iteration = 0; iteration < iterations; ++iteration) {
      const filled = iteration + stages - 1;
      const isRead = iteration % stages === stage, isFilled = filled % stages === stage;
      cells.push(make(isRead ? "td.read" : isFilled ? "td.fill" : "td", {},
        isRead ? "is read" : isFilled ? `gets i + ${filled}` : "waits"));
    }
    rows.push(make("tr", {}, ...cells));
  }
  return make("figure", {},
    make("figcaption", {}, `the ring of ${names} while the loop runs`),
    make("div.scroller", { tabindex: "0", role: "group", "aria-label": "The ring over iterations" },
      make("table.iterations", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows))));
}

function swizzleText([bits, base, shift], elementBytes) {
  if (!bits) return "rows lie one behind the other, without a swizzle";
  return `swizzle<${bits}, ${base}, ${shift}>: chunks of ${plural(2 ** base * elementBytes, "byte")} ` +
    `trade places, ${2 ** bits} of them, by the bits of the index from ${base + shift} on`;
}

function sharedCard(shared, i) {
  const perRow = shared.shape.at(-1) ?? 1, size = sizeOf(shared.shape);
  const width = Math.min(perRow, 128);
  const grid = { columns: width, rows: Math.min(size / perRow, 32) };
  const indexAt = (cell) => Math.floor(cell / width) * perRow + cell % width;
  const label = "Elements of the shared tile by bank; arrow keys move over them";
  const view = picture({ ...grid }, Math.min(420, Math.max(160, 7 * width)), label,
    (cell) => colour(bankOf(shared, indexAt(cell)), 32));
  const reading = make("p.reading", { role: "status" });
  const rest = "move over the picture to see where an element lies, and what else its bank has";
  withCursor([view], grid, (cell) => {
    if (cell < 0) { reading.textContent = rest; return view.paint(); }
    const index = indexAt(cell), bank = bankOf(shared, index);
    view.paint((other) => bankOf(shared, indexAt(other)) === bank);
    reading.textContent = `element ${coordinates(shared.shape, index)}: byte ` +
      `${byteOf(shared, index)}, bank ${bank}`;
  });
  reading.textContent = rest;
  view.paint();
  const isCut = width < perRow || grid.rows < size / perRow;
  const swatch = make("span", { "aria-hidden": "true" }, "\u25a0 ");
  swatch.style.color = sharedColour(i);
  const kinds = grouped(shared.accesses, (a) => a.kind);
  const accesses = [...kinds].map(([kind, list]) => {
    const repeats = Math.max(0, ...list.map((a) => a.repeats ?? 0));
    const name = { copy: "copies fill it", store: "threads write it", load: "threads read it",
      multiply: "a multiply reads it" }[kind];
    return `${name} (line ${[...new Set(list.map((a) => a.line + 1))].join(", ")}` +
      (repeats > 1 ? `; ${repeats}-way bank conflicts` : repeats ? "; no bank conflict" : "") + ")";
  });
  const card = make("article.card", {},
    make("header", {}, make("h3", {}, swatch, make("code", {}, sharedName(shared))),
      make("p", {}, (shared.stages > 1 ? `${shared.stages} stages of ` +
        `${bytesText(shared.bytes / shared.stages)}` : bytesText(shared.bytes)) +
        ` from byte ${shared.offset}`)),
    make("p.hint", {}, `${swizzleText(shared.swizzle, shared.elementBytes)}; ${accesses.join("; ")}`),
    make("div.pictures", {}, make("figure", {},
      make("figcaption", {}, `by bank${isCut ? `, the first ${plural(grid.rows, "row")}` +
        (width < perRow ? ` and ${width} columns` : "") : ""}`),
      view.canvas, scaleOf(32, "bank"))),
    reading);
  card.addEventListener("pointerenter", () => lightEmitted(shared.accesses.map((a) => a.line)));
  card.addEventListener("pointerleave", () => light(null));
  return card;
}

function showShared() {
  const body = byId("shared").querySelector(".body");
  if (!kernel.shared.length)
    return body.replaceChildren(make("p.quiet", {}, "This kernel needs no shared memory."));
  const rings = kernel.shared.filter((shared) => shared.stages > 1);
  const ofStages = grouped(rings, (shared) => shared.stages);
  body.replaceChildren(
    make("article.card", {},
      make("header", {}, make("h3", {}, "Over time"),
        make("p", {}, `${bytesText(kernel.sharedBytes)} of the ` +
          `${bytesText(kernel.sharedOfBlock)} that a block may have, over the emitted lines`)),
      timeOf(),
      ...[...ofStages].map(([stages, list]) =>
        iterationsOf(stages, list.map((s) => s.name ?? s.element).join(" and ")))),
    make("div.cards", {}, ...kernel.shared.map(sharedCard)));
}

function showTiles() {
  const body = byId("tiles").querySelector(".body");
  body.replaceChildren(...(kernel.tiles.length ? kernel.tiles.map(tileCard)
    : [make("p.quiet", {}, "This kernel holds no tile in registers.")]));
}

// ---- Search -------------------------------------------------------------------------------------

const search = byId("search");
let hits = [], hitAt = -1;

function find() {
  const wanted = search.value.trim().toLowerCase();
  document.querySelectorAll(".hit, .now").forEach((e) => e.classList.remove("hit", "now"));
  globalThis.CSS?.highlights?.delete("found");
  hits = [];
  hitAt = -1;
  if (wanted) {
    const places = document.querySelectorAll(".line .t, .remark, #kernels td:first-child");
    hits = [...places].filter((e) => e.textContent.toLowerCase().includes(wanted))
      .map((e) => e.closest(".line") ?? e);
    hits.forEach((e) => e.classList.add("hit"));
    highlight(hits, wanted);
  }
  byId("found").textContent = !wanted ? "" : hits.length ? plural(hits.length, "place") : "nothing";
}

function highlight(elements, wanted) {
  if (!globalThis.CSS?.highlights) return;
  const ranges = [];
  for (const element of elements) {
    const nodes = [], walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let text = "";
    while (walk.nextNode()) {
      nodes.push([walk.currentNode, text.length]);
      text += walk.currentNode.data.toLowerCase();
    }
    const place = (offset) => nodes.findLast(([, start]) => start <= offset);
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = new Range(), [first, start] = place(at), [last, end] = place(at + wanted.length - 1);
      range.setStart(first, at - start);
      range.setEnd(last, at + wanted.length - end);
      ranges.push(range);
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}

function go(by) {
  if (!hits.length) return;
  hits[hitAt]?.classList.remove("now");
  hitAt = (hitAt + by + hits.length) % hits.length;
  const hit = hits[hitAt];
  hit.classList.add("now");
  const pane = hit.closest("#source") ? source : hit.closest("#emitted") ? emitted : undefined;
  pane?.reveal(hit);
  (pane?.root ?? hit).scrollIntoView({ block: "nearest" });
  if (hit.matches(".line")) light(hit);
  byId("found").textContent = `${hitAt + 1} of ${hits.length}`;
}

search.addEventListener("input", find);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
  if (event.key === "Escape") { search.value = ""; find(); search.blur(); }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input") || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  search.focus();
  search.select();
});

// ---- Light and dark -----------------------------------------------------------------------------

const themes = ["auto", "light", "dark"];
function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme").textContent = { auto: "auto", light: "light", dark: "dark" }[theme];
  byId("theme").setAttribute("aria-label", `Colours: ${theme}; press to change`);
  try { localStorage.setItem("tessera-theme", theme); } catch { /* a page may have no storage */ }
}
let theme = "auto";
try { theme = themes.find((t) => t === localStorage.getItem("tessera-theme")) ?? "auto"; } catch { /* so */ }
const repaint = () => { showShared(); showTiles(); };
byId("theme").addEventListener("click", () => {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length];
  setTheme(theme);
  repaint();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);

// ---- The whole ----------------------------------------------------------------------------------

function show(i) {
  kernel = data.kernels[i];
  [...byId("kernels").tBodies[0].rows].forEach((row, at) => {
    row.classList.toggle("chosen", at === i);
    row.querySelector("button").setAttribute("aria-pressed", String(at === i));
  });
  showEmitted();
  showSource();
  showShared();
  showTiles();
  find();
  try { history.replaceState(null, "", `#${kernel.target}-${kernel.id}`); } catch { /* a frame */ }
}

byId("program").textContent = data.program;
byId("facts").textContent = [plural(data.kernels.length, "kernel"),
  [...new Set(data.kernels.map((k) => k.target))].join(", "), data.version].join(" \u00b7 ");
byId("shown").addEventListener("change", (event) => {
  source.root.classList.remove("shows-all", "shows-advice", "shows-none");
  source.root.classList.add(`shows-${event.target.value}`);
});
setTheme(theme);
if (data.kernels.length) {
  showKernels();
  const wanted = data.kernels.findIndex((k) => `#${k.target}-${k.id}` === location.hash);
  show(Math.max(0, wanted));
} else {
  document.querySelector("main").replaceChildren(make("p.quiet", {}, "This program has no tile kernel."));
}
})();
