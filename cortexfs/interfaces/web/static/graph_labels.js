// Places for the labels of atoms: beside an atom where no other atom and no other label is touched.

const CELL = 40; // pixels of the grid by which boxes find each other
const HEIGHT = 14; // pixels of a line
const GAP = 3; // pixels between an atom and its label

// A set of boxes [left, top, right, bottom] in pixels.
export function makeBoxes() {
  const cells = new Map();

  function* listCells([left, top, right, bottom]) {
    for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column += 1) {
      for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row += 1) yield column * 100003 + row;
    }
  }

  function add(box) {
    for (const cell of listCells(box)) {
      if (!cells.has(cell)) cells.set(cell, []);
      cells.get(cell).push(box);
    }
  }

  function touches(box) {
    for (const cell of listCells(box)) if (cells.get(cell)?.some((other) => isOver(box, other))) return true;
    return false;
  }

  return { add, touches };
}

// Returns the first free place around an atom, above it if possible, and its box; null without one.
// No label is cut by the edge of the box that is seen.
export function findPlace(boxes, { x, y, radius }, width, seen) {
  const far = radius + GAP;
  const [down, aside] = [far + HEIGHT / 2, far + width / 2];
  const [drop, shift] = [(radius + HEIGHT) / 2 + GAP, (radius + width) / 2 + GAP]; // of a corner
  const places = [
    [x, y - down], [x, y + down], [x + aside, y], [x - aside, y],
    [x + shift, y - drop], [x - shift, y - drop], [x + shift, y + drop], [x - shift, y + drop],
  ];
  for (const [centre, middle] of places) {
    const box = [centre - width / 2, middle - HEIGHT / 2, centre + width / 2, middle + HEIGHT / 2];
    if (!isCut(box, seen) && !boxes.touches(box)) return { x: centre, y: middle + 4, box };
  }
  return null;
}

function isCut(box, seen) {
  const isInside = box[0] >= seen[0] && box[1] >= seen[1] && box[2] <= seen[2] && box[3] <= seen[3];
  return !isInside && isOver(box, seen);
}

function isOver([left, top, right, bottom], [otherLeft, otherTop, otherRight, otherBottom]) {
  return left < otherRight && otherLeft < right && top < otherBottom && otherTop < bottom;
}
