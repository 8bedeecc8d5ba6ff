// What the graph page knows of the graph: places, links, and which atoms are shown.

const CELL = 1; // side of a cell of the grid for hits, in units of the layout

export function makeModel(found) {
  const nodes = found.atoms.map((atom, index) => ({
    index,
    ref: atom.ref,
    kind: atom.kind || "",
    status: atom.status || "",
    summary: atom.summary || "",
    x: atom.place[0],
    y: atom.place[1],
    community: atom.community,
    links: atom.links,
    isInactive: Boolean(atom.inactive),
  }));
  const neighbours = nodes.map(() => []);
  for (const [source, target] of found.edges) {
    neighbours[source].push(target);
    neighbours[target].push(source);
  }
  const most = nodes.reduce((found, node) => Math.max(found, node.links), 1);
  for (const node of nodes) node.radius = 0.09 + 0.16 * Math.sqrt(node.links / most);
  const byLinks = [...nodes].sort((a, b) => b.links - a.links || a.index - b.index);
  const bounds = { left: 0, top: 0, right: 0, bottom: 0 };
  for (const { x, y } of nodes) {
    bounds.left = Math.min(bounds.left, x);
    bounds.top = Math.min(bounds.top, y);
    bounds.right = Math.max(bounds.right, x);
    bounds.bottom = Math.max(bounds.bottom, y);
  }
  return { nodes, edges: found.edges, neighbours, byLinks, bounds, shown: null, grid: makeGrid(nodes) };
}

export function isShown(model, index) {
  return model.shown === null || model.shown.has(index);
}

// The atoms at most `steps` links away from one.
export function findNear(model, start, steps) {
  const near = new Set([start]);
  let edge = [start];
  for (let step = 0; step < steps; step += 1) {
    edge = edge.flatMap((index) => model.neighbours[index]).filter((index) => !near.has(index));
    edge.forEach((index) => near.add(index));
  }
  return near;
}

// The atoms on a shortest path between two, both included; empty if there is none.
export function findPath(model, start, end) {
  const before = new Map([[start, start]]);
  for (let edge = [start]; edge.length && !before.has(end); ) {
    const next = [];
    for (const index of edge) {
      for (const other of model.neighbours[index]) {
        if (!before.has(other)) {
          before.set(other, index);
          next.push(other);
        }
      }
    }
    edge = next;
  }
  if (!before.has(end)) return [];
  const path = [end];
  while (path[0] !== start) path.unshift(before.get(path[0]));
  return path;
}

// The shown atom next to a point in a direction (a unit vector): rather straight ahead than close.
export function findToward(model, from, [dx, dy]) {
  let best = null;
  let bestCost = Infinity;
  for (const node of model.nodes) {
    const ahead = (node.x - from.x) * dx + (node.y - from.y) * dy;
    const aside = Math.abs((node.x - from.x) * dy - (node.y - from.y) * dx);
    const cost = ahead + 2 * aside;
    if (ahead > 0 && aside <= ahead && cost < bestCost && isShown(model, node.index)) {
      best = node.index;
      bestCost = cost;
    }
  }
  return best;
}

export function findMatches(model, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  return model.byLinks
    .filter(({ ref, kind, status, summary }) => {
      const text = `${ref} ${kind} ${status} ${summary}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map((node) => node.index);
}

// The shown atom nearest to a point, at most `reach` away.
export function findAt(model, x, y, reach) {
  let best = null;
  let bestDistance = Infinity;
  const cells = Math.ceil(reach / CELL);
  const column = Math.floor(x / CELL);
  const row = Math.floor(y / CELL);
  for (let dx = -cells; dx <= cells; dx += 1) {
    for (let dy = -cells; dy <= cells; dy += 1) {
      for (const node of model.grid.get(`${column + dx},${row + dy}`) || []) {
        const distance = Math.hypot(node.x - x, node.y - y);
        const isHit = distance <= Math.max(reach, node.radius) && isShown(model, node.index);
        if (isHit && distance < bestDistance) {
          best = node.index;
          bestDistance = distance;
        }
      }
    }
  }
  return best;
}

function makeGrid(nodes) {
  const grid = new Map();
  for (const node of nodes) {
    const key = `${Math.floor(node.x / CELL)},${Math.floor(node.y / CELL)}`;
    if (!grid.has(key)) grid.set(key, []);
    grid.get(key).push(node);
  }
  return grid;
}
