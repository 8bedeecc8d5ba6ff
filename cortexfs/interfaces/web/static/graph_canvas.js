// The picture on its canvas: a camera, and a bitmap of the scene that is moved while the camera moves.

import { isShown } from "./graph_model.js";
import { makeScene, paintMarks } from "./graph_scene.js";

const MAX_PIXEL_RATIO = 2;
const SCALES = [0.5, 400]; // pixels of a unit of the layout
const LABEL_MARGIN = 60; // pixels beside the outermost atoms
const BORDER = 0.25; // share of the canvas that the bitmap has on each side, for what comes into view
const MAX_STRETCH = 2; // by which the bitmap is zoomed before it is painted again
const REST_MS = 160;
const COLOUR_COUNT = 12;

export function makeCanvas(element, model) {
  const context = element.getContext("2d");
  const bitmap = document.createElement("canvas");
  const scene = makeScene(model);
  const camera = { x: 0, y: 0, scale: 20 };
  const marks = { selected: null, hovered: null, path: [], matches: new Set() };
  let colours = readColours(element);
  let painted = null; // the view of the bitmap
  let isMoving = false;
  let isQueued = false;
  let restTimer = 0;
  let ratio = 1;

  function resize() {
    ratio = Math.min(window.devicePixelRatio || 1, MAX_PIXEL_RATIO);
    element.width = Math.round(element.clientWidth * ratio);
    element.height = Math.round(element.clientHeight * ratio);
    draw();
  }

  // Draws all again; `drawMarks` draws only what lies over the scene.
  function draw() {
    painted = null;
    drawMarks();
  }

  function drawMarks() {
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
      drawMarks();
    }, REST_MS);
    drawMarks();
  }

  function zoom(factor, px = element.clientWidth / 2, py = element.clientHeight / 2) {
    move((at) => {
      const scale = Math.min(SCALES[1], Math.max(SCALES[0], at.scale * factor));
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
    const wide = (element.clientWidth - 2 * LABEL_MARGIN) / (right - left + 1);
    const high = (element.clientHeight - LABEL_MARGIN) / (bottom - top + 1);
    camera.scale = Math.min(wide, high, 90);
    camera.x = (left + right - element.clientWidth / camera.scale) / 2;
    camera.y = (top + bottom - element.clientHeight / camera.scale) / 2;
    draw();
  }

  // Moves just so far that an atom is inside.
  function reveal(index) {
    const [wide, high] = [element.clientWidth / camera.scale, element.clientHeight / camera.scale];
    const { x, y } = model.nodes[index];
    const clamp = (at, from, size) => Math.max(at - 0.85 * size, Math.min(at - 0.15 * size, from));
    move((at) => {
      at.x = clamp(x, at.x, wide);
      at.y = clamp(y, at.y, high);
    });
  }

  function toWorld(px, py) {
    return [camera.x + px / camera.scale, camera.y + py / camera.scale];
  }

  function paint() {
    const isCurrent = painted && (isMoving ? isUsable(painted) : isExact(painted));
    if (!isCurrent) paintBitmap();
    const stretch = camera.scale / painted.camera.scale;
    const left = (painted.camera.x - camera.x) * camera.scale * ratio;
    const top = (painted.camera.y - camera.y) * camera.scale * ratio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colours.background;
    context.fillRect(0, 0, element.width, element.height);
    context.drawImage(bitmap, left, top, bitmap.width * stretch, bitmap.height * stretch);
    const view = { camera, ratio, width: element.clientWidth, height: element.clientHeight };
    paintMarks(context, view, model, marks, colours);
  }

  function paintBitmap() {
    const [x, y] = [Math.round(element.clientWidth * BORDER), Math.round(element.clientHeight * BORDER)];
    const [width, height] = [element.clientWidth + 2 * x, element.clientHeight + 2 * y];
    const shifted = { x: camera.x - x / camera.scale, y: camera.y - y / camera.scale, scale: camera.scale };
    const seen = [x, y, width - x, height - y]; // without the border
    painted = { camera: shifted, ratio, width, height, seen, isQuick: isMoving };
    const size = [Math.round(width * ratio), Math.round(height * ratio)];
    if (bitmap.width !== size[0] || bitmap.height !== size[1]) [bitmap.width, bitmap.height] = size;
    scene.paint(bitmap.getContext("2d", { alpha: false }), painted, marks, colours, isMoving);
  }

  // Whether the bitmap covers what is seen, or as much of the graph as it ever will, nearly in its size.
  function isUsable(view) {
    const stretch = camera.scale / view.camera.scale;
    const isNear = stretch < MAX_STRETCH && stretch > 1 / MAX_STRETCH;
    const [left, top] = toWorld(0, 0);
    const [right, bottom] = toWorld(element.clientWidth, element.clientHeight);
    const [area, { bounds }] = [view.camera, model];
    return isNear
      && Math.max(left, bounds.left) >= area.x - 1
      && Math.max(top, bounds.top) >= area.y - 1
      && Math.min(right, bounds.right) <= area.x + view.width / area.scale + 1
      && Math.min(bottom, bounds.bottom) <= area.y + view.height / area.scale + 1;
  }

  function isExact(view) {
    const shift = Math.abs((view.camera.x - camera.x) * camera.scale + Math.round(element.clientWidth * BORDER));
    const drop = Math.abs((view.camera.y - camera.y) * camera.scale + Math.round(element.clientHeight * BORDER));
    return !view.isQuick && view.camera.scale === camera.scale && shift < 0.01 && drop < 0.01;
  }

  function refresh() {
    colours = readColours(element);
    scene.forget();
    draw();
  }

  new ResizeObserver(resize).observe(element);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  matchMedia("(forced-colors: active)").addEventListener("change", refresh);
  return { camera, marks, draw, drawMarks, move, zoom, fit, reveal, refresh, toWorld };
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
