// The graph page: its data, search, buttons and keys. The list beside the picture says the same in text.

import { makeCanvas } from "./graph_canvas.js";
import { makeDetail } from "./graph_detail.js";
import { findMatches, findToward, isShown, makeModel } from "./graph_model.js";
import { listenToPointer } from "./graph_pointer.js";

const PAN_PIXELS = 60;
const ZOOM = 1.3;
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const page = document.querySelector("[data-graph]");
if (page) start(page).catch((error) => fail(page, error));

async function start(root) {
  const answer = await fetch(root.dataset.graph);
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const asOf = answer.headers.get("x-as-of");
  if (asOf && !document.querySelector("[data-as-of]")) say(root, `The picture is as of ${asOf.slice(11, 19)} UTC: something has changed since. Load the page again to see it.`);
  const model = makeModel(await answer.json());
  root.classList.add("is-drawn");
  const element = root.querySelector("canvas");
  const canvas = makeCanvas(element, model);
  const detail = makeDetail(root, model, canvas);
  canvas.fit();
  listenToPointer(element, model, canvas, detail.select);
  listenToKeys(element, model, canvas, detail);
  listenToSearch(root.querySelector("[data-graph-search]"), model, canvas, detail);
  listenToButtons(root, model, canvas, detail);
  new MutationObserver(canvas.refresh).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}

function fail(root, error) {
  say(root, `The graph could not be loaded: ${error.message}.`);
}

function say(root, text) {
  const place = root.querySelector("[data-graph-message]");
  place.textContent = text;
  place.hidden = false;
}

function listenToKeys(element, model, canvas, detail) {
  function go(direction) {
    const { selected } = canvas.marks;
    const center = canvas.toWorld(element.clientWidth / 2, element.clientHeight / 2);
    const from = selected === null ? { x: center[0], y: center[1] } : model.nodes[selected];
    const found = findToward(model, from, direction);
    if (found === null) return;
    detail.select(found, { isFinal: false });
    canvas.reveal(found);
  }

  function pan([x, y]) {
    canvas.move((camera) => {
      camera.x += (x * PAN_PIXELS) / camera.scale;
      camera.y += (y * PAN_PIXELS) / camera.scale;
    });
  }

  const actions = {
    "+": () => canvas.zoom(ZOOM),
    "=": () => canvas.zoom(ZOOM),
    "-": () => canvas.zoom(1 / ZOOM),
    0: () => canvas.fit(),
    Enter: detail.accept,
    Escape: () => detail.select(null),
  };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = DIRECTIONS[event.key];
    if (!direction && !actions[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    if (direction) (event.shiftKey ? pan : go)(direction);
    else actions[event.key]();
  });
}

function listenToSearch(search, model, canvas, detail) {
  let matches = [];
  let next = 0;
  search.addEventListener("input", () => {
    matches = findMatches(model, search.value).filter((index) => isShown(model, index));
    next = 0;
    canvas.marks.matches = new Set(matches);
    canvas.draw();
    detail.say(search.value.trim() ? `${matches.length} atoms match.` : "");
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (!matches.length) return;
    detail.select(matches[next % matches.length], { isNear: true });
    detail.say(`Match ${(next % matches.length) + 1} of ${matches.length}.`);
    next += 1;
  });
}

function listenToButtons(root, model, canvas, detail) {
  const actions = {
    in: () => canvas.zoom(ZOOM),
    out: () => canvas.zoom(1 / ZOOM),
    fit: () => canvas.fit(),
    all: () => detail.limit(null),
    linked: () => detail.limit(new Set(model.nodes.filter((node) => node.links).map((node) => node.index))),
  };
  for (const element of root.querySelectorAll("[data-graph-action]")) {
    element.addEventListener("click", actions[element.dataset.graphAction]);
  }
}
