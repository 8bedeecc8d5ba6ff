// The graph page: pointer, keys, search, what is selected, and the list that says the same in text.

import { makeCanvas } from "./graph_canvas.js";
import { findAt, findMatches, findNear, findPath, isShown, makeModel } from "./graph_model.js";

const HIT_PIXELS = 12; // a target of 24 pixels
const PAN_PIXELS = 60;
const DRAG_PIXELS = 4; // a pointer that moves less has clicked
const MAX_LISTED = 60;

const page = document.querySelector("[data-graph]");
if (page) start(page).catch((error) => fail(page, error));

async function start(root) {
  const answer = await fetch(root.dataset.graph, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const model = makeModel(await answer.json());
  root.classList.add("is-drawn");
  const element = root.querySelector("canvas");
  const canvas = makeCanvas(element, model);
  const panel = makePanel(root, model, canvas);
  canvas.fit();
  listenToPointer(element, model, canvas, panel);
  listenToKeys(element, canvas, panel);
  listenToControls(root, model, canvas, panel);
}

function fail(root, error) {
  const place = root.querySelector("[data-graph-message]");
  place.textContent = `The graph could not be loaded: ${error.message}.`;
  place.hidden = false;
}

function makePanel(root, model, canvas) {
  const detail = root.querySelector("[data-graph-detail]");
  const status = root.querySelector("[data-graph-status]");
  let pathStart = null;

  function select(index, { center = false } = {}) {
    canvas.marks.selected = index;
    canvas.marks.path = [];
    if (index !== null && pathStart !== null && index !== pathStart) showPath(pathStart, index);
    show(index);
    if (center && index !== null) canvas.fit(index === null ? undefined : [...findNear(model, index, 1)]);
    canvas.draw();
  }

  function showPath(from, to) {
    canvas.marks.path = findPath(model, from, to);
    const steps = canvas.marks.path.length - 1;
    say(steps < 0 ? "No path of links between the two." : `A path of ${steps} links.`);
    pathStart = null;
  }

  function show(index) {
    detail.replaceChildren();
    if (index === null) return;
    const node = model.nodes[index];
    const link = make("a", node.ref);
    link.href = root.dataset.atom.replace("REF", encodeURI(node.ref));
    detail.append(
      make("h2", [link]),
      make("p", node.summary),
      make("p", `${node.kind} · ${node.status || "no status"} · ${node.links} links`, "muted"),
      make("p", [
        button("Path from here", () => {
          pathStart = index;
          say(`Select the other end of the path from ${node.ref}.`);
        }),
        " ",
        button("Only nearby", () => limit(findNear(model, index, 2))),
      ]),
    );
    const path = canvas.marks.path;
    if (path.length) detail.append(make("h3", "Path"), list(path));
    const near = [...new Set(model.neighbours[index])].sort((a, b) => model.nodes[b].links - model.nodes[a].links);
    if (near.length) detail.append(make("h3", "Linked"), list(near));
  }

  function list(indices) {
    const items = indices.slice(0, MAX_LISTED).map((index) => {
      const entry = button(model.nodes[index].ref, () => {
        select(index);
        detail.querySelector("a").focus();
      });
      return make("li", [entry, ` ${model.nodes[index].summary}`]);
    });
    if (indices.length > MAX_LISTED) items.push(make("li", `${indices.length - MAX_LISTED} more`, "muted"));
    return make("ul", items, "graph-list");
  }

  function limit(shown) {
    model.shown = shown;
    canvas.refresh();
    canvas.fit();
    say(shown ? `${shown.size} atoms are shown.` : "All atoms are shown.");
  }

  function say(text) {
    status.textContent = text;
  }

  return { select, limit, say, selected: () => canvas.marks.selected };
}

function listenToPointer(element, model, canvas, panel) {
  const pointers = new Map();
  let dragged = 0;
  let spread = 0;

  function at(event) {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  function hit(event) {
    return findAt(model, ...canvas.toWorld(...at(event)), HIT_PIXELS / canvas.camera.scale);
  }
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    dragged = 0;
    spread = 0;
  });
  element.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) {
      const hovered = hit(event);
      element.style.setProperty("cursor", hovered === null ? "grab" : "pointer");
      if (hovered !== canvas.marks.hovered) {
        canvas.marks.hovered = hovered;
        canvas.draw();
      }
      return;
    }
    const now = at(event);
    pointers.set(event.pointerId, now);
    if (pointers.size > 1) {
      const [one, other] = [...pointers.values()];
      const wide = Math.hypot(one[0] - other[0], one[1] - other[1]);
      if (spread) canvas.zoom(wide / spread, (one[0] + other[0]) / 2, (one[1] + other[1]) / 2);
      spread = wide;
      dragged = Infinity;
      return;
    }
    dragged += Math.hypot(now[0] - before[0], now[1] - before[1]);
    canvas.move((camera) => {
      camera.x -= (now[0] - before[0]) / camera.scale;
      camera.y -= (now[1] - before[1]) / camera.scale;
    });
  });
  const end = (event) => {
    if (pointers.delete(event.pointerId) && dragged < DRAG_PIXELS && event.type === "pointerup") {
      panel.select(hit(event));
    }
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("dblclick", (event) => canvas.zoom(2, ...at(event)));
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      canvas.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), ...at(event));
    },
    { passive: false },
  );
}

function listenToKeys(element, canvas, panel) {
  const pan = (x, y) => canvas.move((camera) => {
    camera.x += (x * PAN_PIXELS) / camera.scale;
    camera.y += (y * PAN_PIXELS) / camera.scale;
  });
  const actions = {
    ArrowLeft: () => pan(-1, 0),
    ArrowRight: () => pan(1, 0),
    ArrowUp: () => pan(0, -1),
    ArrowDown: () => pan(0, 1),
    "+": () => canvas.zoom(1.3),
    "=": () => canvas.zoom(1.3),
    "-": () => canvas.zoom(1 / 1.3),
    0: () => canvas.fit(),
    Escape: () => panel.select(null),
  };
  element.addEventListener("keydown", (event) => {
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
}

function listenToControls(root, model, canvas, panel) {
  const search = root.querySelector("[data-graph-search]");
  let matches = [];
  let next = 0;
  search.addEventListener("input", () => {
    matches = findMatches(model, search.value).filter((index) => isShown(model, index));
    next = 0;
    canvas.marks.matches = new Set(matches);
    canvas.draw();
    panel.say(search.value.trim() ? `${matches.length} atoms match.` : "");
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (!matches.length) return;
    panel.select(matches[next % matches.length], { center: true });
    panel.say(`Match ${(next % matches.length) + 1} of ${matches.length}.`);
    next += 1;
  });
  for (const element of root.querySelectorAll("[data-graph-action]")) {
    const actions = {
      in: () => canvas.zoom(1.4),
      out: () => canvas.zoom(1 / 1.4),
      fit: () => canvas.fit(),
      all: () => panel.limit(null),
      linked: () => panel.limit(new Set(model.nodes.filter((node) => node.links).map((node) => node.index))),
    };
    element.addEventListener("click", () => actions[element.dataset.graphAction]());
  }
  new MutationObserver(() => canvas.refresh()).observe(document.documentElement, { attributes: true });
}

function make(name, content, className = "") {
  const element = document.createElement(name);
  element.append(...(Array.isArray(content) ? content : [content]));
  if (className) element.className = className;
  return element;
}

function button(label, action) {
  const element = make("button", label);
  element.type = "button";
  element.addEventListener("click", action);
  return element;
}
