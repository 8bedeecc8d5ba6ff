// Paint links, atoms and labels on a canvas: as few paths as possible, and no more detail than can be seen.

import { findPlace, makeBoxes } from "./graph_labels.js";
import { isShown } from "./graph_model.js";

const MAX_LABELS = 90;
const MAX_TRIES = 500; // atoms for whose labels a place is looked for
const LABEL_LENGTH = 28; // characters
const MIN_LABEL_RADIUS = 3; // pixels of an atom that has a label
const MIN_ROUND_RADIUS = 2.5; // pixels; of many atoms a smaller one is a square
const MANY_ATOMS = 2000;
const MIN_RADIUS = 1.4; // pixels
const LINKS_PER_PATH = 500; // the cost of a path grows faster than its length
const MAX_QUICK_LINKS = 3000;
const COLOUR_COUNT = 12;

export function makeScene(model) {
  let paths = null; // the links that are shown

  function forget() {
    paths = null;
  }

  // Paints a view: the world seen by a camera, on `width` by `height` pixels of `ratio` points each.
  function paint(context, view, marks, colours, isQuick) {
    const { camera, ratio, width, height } = view;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.background;
    context.fillRect(0, 0, width, height);
    const scale = ratio * camera.scale;
    context.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale);
    paintLinks(context, 1 / scale, marks, colours, isQuick);
    paintAtoms(context, view, marks, colours);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!isQuick) paintLabels(context, view, marks, colours);
  }

  function paintLinks(context, point, marks, colours, isQuick) {
    paths = paths || tracePaths();
    const isFaint = marks.selected !== null || marks.path.length > 0;
    context.strokeStyle = colours.edge;
    context.globalAlpha = findLinkAlpha(model.edges.length) * (isFaint ? 0.4 : 1);
    context.lineWidth = point;
    const limit = isQuick ? MAX_QUICK_LINKS / LINKS_PER_PATH : paths.length;
    for (const path of paths.slice(0, limit)) context.stroke(path);
    context.globalAlpha = 1;
  }

  // Every path has links from all parts of the picture, so that the first ones look like all.
  function tracePaths() {
    const pairs = model.edges.filter(([a, b]) => isShown(model, a) && isShown(model, b));
    const count = Math.ceil(pairs.length / LINKS_PER_PATH);
    const found = Array.from({ length: count }, () => new Path2D());
    pairs.forEach((pair, at) => tracePair(model, found[at % count], pair));
    return found;
  }

  function paintAtoms(context, view, marks, colours) {
    const near = new Set(marks.selected === null ? [] : model.neighbours[marks.selected]);
    const shapes = new Map();
    for (const node of listVisible(model, view)) {
      const colour = colours.communities[Math.min(node.community, COLOUR_COUNT)];
      const alpha = findAlpha(node, marks, near);
      const key = `${colour} ${alpha}`;
      if (!shapes.has(key)) shapes.set(key, [colour, alpha, new Path2D()]);
      traceAtom(shapes.get(key)[2], node, view.camera.scale, model.nodes.length > MANY_ATOMS);
    }
    for (const [colour, alpha, path] of shapes.values()) {
      context.globalAlpha = alpha;
      context.fillStyle = colour;
      context.fill(path);
    }
    context.globalAlpha = 1;
  }

  function paintLabels(context, view, marks, colours) {
    const near = new Set(marks.selected === null ? [] : model.neighbours[marks.selected]);
    const boxes = makeBoxes();
    for (const node of listVisible(model, view)) {
      const [[x, y], radius] = [toPixels(view, node), node.radius * view.camera.scale];
      boxes.add([x - radius, y - radius, x + radius, y + radius]);
    }
    prepareText(context, colours);
    let [count, tries] = [0, 0];
    for (const node of model.byLinks) {
      if (count >= MAX_LABELS || tries >= MAX_TRIES) return;
      const radius = node.radius * view.camera.scale;
      const isSmall = radius < MIN_LABEL_RADIUS && !marks.matches.has(node.index);
      if (isSmall || !isShown(model, node.index) || findAlpha(node, marks, near) < 0.3) continue;
      const [x, y] = toPixels(view, node);
      if (x < 0 || y < 0 || x > view.width || y > view.height) continue;
      tries += 1;
      const place = findPlace(boxes, { x, y, radius }, context.measureText(cutLabel(node)).width, view.seen);
      if (!place) continue;
      boxes.add(place.box);
      count += 1;
      paintLabel(context, node, place.x, place.y);
    }
  }

  return { paint, forget };
}

// Paints what is selected, hovered or on the path: over a scene, in each frame.
export function paintMarks(context, view, model, marks, colours) {
  const { camera, ratio } = view;
  const scale = ratio * camera.scale;
  context.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale);
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.5 / camera.scale;
  const own = marks.selected === null ? [] : model.neighbours[marks.selected];
  strokePairs(context, model, own.map((other) => [marks.selected, other]));
  context.lineWidth = 3 / camera.scale;
  strokePairs(context, model, marks.path.slice(1).map((index, at) => [marks.path[at], index]));
  const marked = new Set([marks.hovered, marks.selected, ...marks.path].filter((index) => index !== null));
  const nodes = [...marked].filter((index) => isShown(model, index)).map((index) => model.nodes[index]);
  context.strokeStyle = colours.text;
  context.lineWidth = 2 / camera.scale;
  for (const node of nodes) {
    context.beginPath();
    context.arc(node.x, node.y, Math.max(node.radius, 4 / camera.scale) + 2 / camera.scale, 0, 2 * Math.PI);
    context.stroke();
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  prepareText(context, colours);
  for (const node of nodes) {
    const [x, y] = toPixels(view, node);
    paintLabel(context, node, x, y - node.radius * camera.scale - 6);
  }
}

// The more links, the paler each: groups stay visible among thousands. Pictures as SVG do the same.
function findLinkAlpha(count) {
  return Math.max(0.08, Math.min(0.3, 0.3 * Math.sqrt(3000 / Math.max(count, 1))));
}

function findAlpha(node, marks, near) {
  const full = node.isInactive ? 0.4 : 1;
  if (marks.path.length) return marks.path.includes(node.index) ? 1 : 0.2;
  if (marks.selected === node.index || near.has(node.index)) return full;
  if (marks.matches.size) return marks.matches.has(node.index) ? full : 0.15;
  return marks.selected === null ? full : full / 2;
}

function traceAtom(path, node, scale, isOfMany) {
  const radius = Math.max(node.radius, MIN_RADIUS / scale);
  if (isOfMany && radius * scale < MIN_ROUND_RADIUS) {
    path.rect(node.x - radius, node.y - radius, 2 * radius, 2 * radius);
    return;
  }
  path.moveTo(node.x + radius, node.y);
  path.arc(node.x, node.y, radius, 0, 2 * Math.PI);
}

function tracePair(model, path, [a, b]) {
  path.moveTo(model.nodes[a].x, model.nodes[a].y);
  path.lineTo(model.nodes[b].x, model.nodes[b].y);
}

function strokePairs(context, model, pairs) {
  const path = new Path2D();
  for (const pair of pairs) if (pair.every((index) => isShown(model, index))) tracePair(model, path, pair);
  context.stroke(path);
}

function prepareText(context, colours) {
  context.font = `12px ${colours.font}`;
  context.textAlign = "center";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = colours.background;
  context.fillStyle = colours.text;
}

function cutLabel({ ref }) {
  return ref.length > LABEL_LENGTH ? `${ref.slice(0, LABEL_LENGTH - 1)}…` : ref;
}

function paintLabel(context, node, x, y) {
  const text = cutLabel(node);
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

function toPixels({ camera }, node) {
  return [(node.x - camera.x) * camera.scale, (node.y - camera.y) * camera.scale];
}

function listVisible(model, { camera, width, height }) {
  const [left, right] = [camera.x - 1, camera.x + width / camera.scale + 1];
  const [top, bottom] = [camera.y - 1, camera.y + height / camera.scale + 1];
  return model.nodes.filter(
    ({ x, y, index }) => x > left && x < right && y > top && y < bottom && isShown(model, index),
  );
}
