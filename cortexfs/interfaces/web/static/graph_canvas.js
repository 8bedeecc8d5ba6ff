// Draw the graph on a canvas: only when something has changed, and without links while it moves.

import { isShown } from "./graph_model.js";

const MAX_PIXEL_RATIO = 2;
const MAX_LABELS = 90;
const LABEL_CELL = [120, 22]; // pixels; each cell has at most one label
const LABEL_MARGIN = 60; // pixels beside the outermost atoms
const MIN_LABEL_RADIUS = 3; // pixels
const MAX_MOVING_EDGES = 4000; // more are drawn only when the picture rests
const REST_MS = 120;
const COLOUR_COUNT = 12;

export function makeCanvas(element, model) {
  const context = element.getContext("2d");
  const camera = { x: 0, y: 0, scale: 20 };
  const marks = { selected: null, hovered: null, path: [], matches: new Set() };
  let colours = readColours(element);
  let edges = null;
  let isMoving = false;
  let isQueued = false;
  let restTimer = 0;
  let ratio = 1;
  let near = new Set();

  function resize() {
    ratio = Math.min(window.devicePixelRatio || 1, MAX_PIXEL_RATIO);
    element.width = Math.round(element.clientWidth * ratio);
    element.height = Math.round(element.clientHeight * ratio);
    draw();
  }

  function draw() {
    if (isQueued) return;
    isQueued = true;
    requestAnimationFrame(() => {
      isQueued = false;
      paint();
    });
  }

  function move(change) {
    change(camera);
    isMoving = true;
    clearTimeout(restTimer);
    restTimer = setTimeout(() => {
      isMoving = false;
      draw();
    }, REST_MS);
    draw();
  }

  function zoom(factor, px = element.clientWidth / 2, py = element.clientHeight / 2) {
    move((at) => {
      const scale = Math.min(400, Math.max(0.5, at.scale * factor));
      at.x += px / at.scale - px / scale;
      at.y += py / at.scale - py / scale;
      at.scale = scale;
    });
  }

  function fit(indices = model.nodes.map((node) => node.index)) {
    const shown = indices.filter((index) => isShown(model, index)).map((i) => model.nodes[i]);
    if (!shown.length) return;
    const [left, right] = span(shown, "x");
    const [top, bottom] = span(shown, "y");
    move((at) => {
      const wide = (element.clientWidth - 2 * LABEL_MARGIN) / (right - left + 1);
      const high = (element.clientHeight - LABEL_MARGIN) / (bottom - top + 1);
      at.scale = Math.min(wide, high, 90);
      at.x = (left + right - element.clientWidth / at.scale) / 2;
      at.y = (top + bottom - element.clientHeight / at.scale) / 2;
    });
  }

  function toWorld(px, py) {
    return [camera.x + px / camera.scale, camera.y + py / camera.scale];
  }

  function paint() {
    const { scale } = camera;
    near = new Set(marks.selected === null ? [] : model.neighbours[marks.selected]);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.background;
    context.fillRect(0, 0, element.clientWidth, element.clientHeight);
    context.setTransform(ratio * scale, 0, 0, ratio * scale, -camera.x * scale * ratio, -camera.y * scale * ratio);
    paintEdges(1 / scale);
    paintNodes();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintLabels();
  }

  function paintEdges(pixel) {
    const isFaint = marks.selected !== null || marks.path.length > 0;
    if (!isMoving || model.edges.length <= MAX_MOVING_EDGES) {
      edges = edges || tracePairs(model.edges.filter(([a, b]) => isShown(model, a) && isShown(model, b)));
      context.strokeStyle = colours.edge;
      context.globalAlpha = isFaint ? 0.12 : 0.3;
      context.lineWidth = pixel;
      context.stroke(edges);
    }
    context.globalAlpha = 1;
    context.strokeStyle = colours.accent;
    context.lineWidth = 1.5 * pixel;
    if (marks.selected !== null) {
      const own = model.neighbours[marks.selected].filter((index) => isShown(model, index));
      context.stroke(tracePairs(own.map((index) => [marks.selected, index])));
    }
    context.lineWidth = 3 * pixel;
    context.stroke(tracePairs(marks.path.slice(1).map((index, at) => [marks.path[at], index])));
  }

  function tracePairs(pairs) {
    const path = new Path2D();
    for (const [a, b] of pairs) {
      path.moveTo(model.nodes[a].x, model.nodes[a].y);
      path.lineTo(model.nodes[b].x, model.nodes[b].y);
    }
    return path;
  }

  // One path for each colour: thousands of calls of `fill` would be slow.
  function paintNodes() {
    const least = 1.6 / camera.scale;
    const paths = new Map();
    for (const node of listVisible()) {
      const colour = colours.communities[Math.min(node.community, COLOUR_COUNT)];
      const key = `${colour} ${alphaOf(node)}`;
      if (!paths.has(key)) paths.set(key, [colour, alphaOf(node), new Path2D()]);
      const radius = Math.max(node.radius, least);
      const path = paths.get(key)[2];
      path.moveTo(node.x + radius, node.y);
      path.arc(node.x, node.y, radius, 0, 2 * Math.PI);
    }
    for (const [colour, alpha, path] of paths.values()) {
      context.globalAlpha = alpha;
      context.fillStyle = colour;
      context.fill(path);
    }
    context.globalAlpha = 1;
    for (const index of [marks.hovered, marks.selected, ...marks.path]) paintRing(index);
  }

  function alphaOf(node) {
    const { selected, path, matches } = marks;
    const full = node.isInactive ? 0.4 : 1;
    if (path.length) return path.includes(node.index) ? 1 : 0.2;
    if (selected === node.index || (selected !== null && near.has(node.index))) return full;
    if (matches.size) return matches.has(node.index) ? full : 0.15;
    return selected === null ? full : full / 2;
  }

  function paintRing(index) {
    if (index === null || !isShown(model, index)) return;
    const node = model.nodes[index];
    context.strokeStyle = colours.text;
    context.lineWidth = 2 / camera.scale;
    context.beginPath();
    context.arc(node.x, node.y, Math.max(node.radius, 4 / camera.scale) + 2 / camera.scale, 0, 2 * Math.PI);
    context.stroke();
  }

  function paintLabels() {
    const always = new Set([marks.selected, marks.hovered, ...marks.path].filter((i) => i !== null));
    const taken = new Set();
    context.font = `12px ${colours.font}`;
    context.textAlign = "center";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = colours.background;
    context.fillStyle = colours.text;
    const first = [...always].map((index) => model.nodes[index]);
    let count = 0;
    for (const node of [...first, ...model.byLinks]) {
      const radius = node.radius * camera.scale;
      const isSmall = radius < MIN_LABEL_RADIUS && !marks.matches.has(node.index);
      if (!always.has(node.index) && (isSmall || count >= MAX_LABELS || alphaOf(node) < 0.3)) continue;
      const x = (node.x - camera.x) * camera.scale;
      const y = (node.y - camera.y) * camera.scale;
      if (!isShown(model, node.index) || !isOnScreen(x, y)) continue;
      const column = Math.floor(x / LABEL_CELL[0]);
      const row = Math.floor(y / LABEL_CELL[1]);
      const cells = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => `${column + dx},${row + dy}`));
      if (cells.some((cell) => taken.has(cell))) continue;
      taken.add(`${column},${row}`);
      count += 1;
      context.strokeText(node.ref, x, y - radius - 6);
      context.fillText(node.ref, x, y - radius - 6);
    }
  }

  function listVisible() {
    const [left, top] = toWorld(-20, -20);
    const [right, bottom] = toWorld(element.clientWidth + 20, element.clientHeight + 20);
    return model.nodes.filter(
      ({ x, y, index }) => x > left && x < right && y > top && y < bottom && isShown(model, index),
    );
  }

  function isOnScreen(x, y) {
    return x > 0 && y > 0 && x < element.clientWidth && y < element.clientHeight;
  }

  function refresh() {
    colours = readColours(element);
    edges = null;
    draw();
  }

  new ResizeObserver(resize).observe(element);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  return { camera, marks, draw, move, zoom, fit, refresh, toWorld };
}

// The colours of the theme as a canvas understands them: a token may be a function of the theme.
function readColours(element) {
  const probe = document.createElement("span");
  element.parentElement.append(probe);
  const read = (name) => {
    probe.style.setProperty("color", `var(${name})`);
    return getComputedStyle(probe).color;
  };
  const colours = {
    background: read("--page"),
    edge: read("--muted"),
    text: read("--text"),
    accent: read("--accent"),
    font: getComputedStyle(element).fontFamily,
    communities: Array.from({ length: COLOUR_COUNT + 1 }, (_, at) => read(`--graph-${at}`)),
  };
  probe.remove();
  return colours;
}

function span(nodes, key) {
  let least = Infinity;
  let most = -Infinity;
  for (const node of nodes) {
    least = Math.min(least, node[key]);
    most = Math.max(most, node[key]);
  }
  return [least, most];
}
