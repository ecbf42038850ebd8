// As much of a browser's document as the page of `tessera explain` uses: elements, selectors,
// events. Nothing has a size, and nothing is drawn. What the page uses beyond it fails by its name.

const compound = /^([a-z][\w-]*|\*)?((?:[#.:][\w-]+|\[[\w-]+\])*)$/i;

function matchesCompound(element, text) {
  const found = compound.exec(text);
  if (!found) throw new Error(`dom.mjs does not know the selector '${text}'`);
  const [, tag, rest] = found;
  return (!tag || tag === "*" || element.localName === tag) &&
    (rest.match(/[#.:][\w-]+|\[[\w-]+\]/g) ?? []).every((part) => {
      const name = part.slice(1);
      switch (part[0]) {
        case "#": return element.id === name;
        case ".": return element.classList.contains(name);
        case "[": return element.hasAttribute(name.slice(0, -1));
        default:
          if (name === "first-child") return element.parentNode.children[0] === element;
          if (name === "focus-visible") return document.activeElement === element;
          throw new Error(`dom.mjs does not know ':${name}'`);
      }
    });
}

function matchesPath(element, parts) {
  if (!matchesCompound(element, parts.at(-1))) return false;
  if (parts.length === 1) return true;
  for (let other = element.parentNode; other?.localName; other = other.parentNode)
    if (matchesPath(other, parts.slice(0, -1))) return true;
  return false;
}

class Target {
  listeners = new Map();
  addEventListener(type, listener) {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }
  // Bubbles, but for the events that do not.
  dispatch(type, more = {}) {
    let isStopped = false;
    const event = { type, target: this, preventDefault() {}, ...more,
      stopPropagation() { isStopped = true; } };
    const stays = ["pointerenter", "pointerleave", "focus", "blur"].includes(type);
    for (let at = this; at && !isStopped; at = stays ? null : at.parentNode)
      for (const listener of at.listeners.get(type) ?? []) listener(event);
  }
}

class Text {
  constructor(text) { this.textContent = text; }
}

export class Element extends Target {
  attributes = new Map();
  childNodes = [];
  parentNode = null;
  style = { setProperty(name, value) { this[name] = value; } };
  dataset = new Proxy({}, {
    get: (_, name) => this.attributes.get(`data-${name}`),
    set: (_, name, value) => { this.setAttribute(`data-${name}`, value); return true; },
    deleteProperty: (_, name) => { this.removeAttribute(`data-${name}`); return true; },
  });
  classList = {
    names: () => this.className.split(/\s+/).filter(Boolean),
    contains: (name) => this.classList.names().includes(name),
    toggle: (name, force) => {
      const others = this.classList.names().filter((other) => other !== name);
      const isWanted = force ?? others.length === this.classList.names().length;
      this.className = [...others, ...(isWanted ? [name] : [])].join(" ");
    },
    add: (...names) => names.forEach((name) => this.classList.toggle(name, true)),
    remove: (...names) => names.forEach((name) => this.classList.toggle(name, false)),
  };
  value = "";
  scrollTop = 0;
  constructor(name) {
    super();
    this.localName = name;
  }
  get id() { return this.attributes.get("id") ?? ""; }
  set id(value) { this.attributes.set("id", value); }
  get className() { return this.attributes.get("class") ?? ""; }
  set className(value) { this.attributes.set("class", value); }
  hasAttribute(name) { return this.attributes.has(name); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  setAttribute(name, value) { this.attributes.set(name, String(value)); }
  removeAttribute(name) { this.attributes.delete(name); }

  get children() { return this.childNodes.filter((node) => node instanceof Element); }
  get tHead() { return this.children.find((child) => child.localName === "thead"); }
  get tBodies() { return this.children.filter((child) => child.localName === "tbody"); }
  get rows() { return this.children.filter((child) => child.localName === "tr"); }
  get textContent() { return this.childNodes.map((node) => node.textContent).join(""); }
  set textContent(text) { this.replaceChildren(text); }
  append(...nodes) {
    for (const node of nodes) {
      const isNode = node instanceof Element || node instanceof Text;
      const added = isNode ? node : new Text(String(node));
      if (added instanceof Element) {
        const before = added.parentNode?.childNodes;
        before?.splice(before.indexOf(added), 1);
      }
      added.parentNode = this;
      this.childNodes.push(added);
    }
  }
  replaceChildren(...nodes) {
    this.childNodes.forEach((node) => { node.parentNode = null; });
    this.childNodes = [];
    this.append(...nodes);
  }

  matches(selectors) {
    return selectors.split(",").some((one) => matchesPath(this, one.trim().split(/\s+/)));
  }
  closest(selectors) {
    for (let at = this; at?.localName; at = at.parentNode) if (at.matches(selectors)) return at;
    return null;
  }
  querySelectorAll(selectors) {
    return this.children.flatMap((child) => [...(child.matches(selectors) ? [child] : []),
      ...child.querySelectorAll(selectors)]);
  }
  querySelector(selectors) { return this.querySelectorAll(selectors)[0] ?? null; }

  click() { this.dispatch("click"); }
  focus() { document.activeElement = this; this.dispatch("focus"); }
  blur() { document.activeElement = document.body; this.dispatch("blur"); }
  select() {}
  scrollIntoView() {}
  offsetTop = 0;
  offsetHeight = 0;
  clientHeight = 0;
  getBoundingClientRect() { return { left: 0, top: 0, width: 100, height: 100 }; }
  getContext() { return { clearRect() {}, fillRect() {} }; }
}

class Document extends Target {
  get documentElement() { return this.root.children[0]; }
  get body() { return this.querySelector("body"); }
  get title() { return this.querySelector("title").textContent; }
  createElement(name) { return new Element(name); }
  createElementNS(_, name) { return new Element(name); }
  getElementById(id) { return this.querySelector(`#${id}`); }
  querySelector(selectors) { return this.root.querySelector(selectors); }
  querySelectorAll(selectors) { return this.root.querySelectorAll(selectors); }
}

// A tree is a text, or [name, attributes, children].
function grown(tree) {
  if (typeof tree === "string") return new Text(tree);
  const element = new Element(tree[0]);
  for (const [name, value] of tree[1]) element.setAttribute(name, value ?? "");
  element.append(...tree[2].map(grown));
  return element;
}

// The document of a tree, with what a script expects around it.
export function open(tree) {
  const opened = new Document();
  opened.root = new Element("#document");
  opened.root.append(grown(tree));
  opened.root.parentNode = opened;
  const around = {
    document: opened,
    matchMedia: () => ({ matches: false, addEventListener() {} }),
    localStorage: { getItem: () => null, setItem() {} },
    history: { replaceState() {} },
    location: { hash: "" },
    getSelection: () => "",
    navigator: { clipboard: undefined },
  };
  for (const [name, value] of Object.entries(around))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  opened.activeElement = opened.body;
  return opened;
}
