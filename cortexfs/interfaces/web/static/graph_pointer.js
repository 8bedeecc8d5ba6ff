// Mouse, touch and pen on the canvas: drag, pinch, wheel, hover and click.

import { findAt } from "./graph_model.js";

const HIT_PIXELS = 12; // a target of 24 pixels
const DRAG_PIXELS = 4; // a pointer that moves less has clicked

export function listenToPointer(element, model, canvas, select) {
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

  function hover(index) {
    element.classList.toggle("is-over", index !== null);
    if (index === canvas.marks.hovered) return;
    canvas.marks.hovered = index;
    canvas.drawMarks();
  }

  function pinch() {
    const [one, other] = [...pointers.values()];
    const wide = Math.hypot(one[0] - other[0], one[1] - other[1]);
    if (spread) canvas.zoom(wide / spread, (one[0] + other[0]) / 2, (one[1] + other[1]) / 2);
    spread = wide;
    dragged = Infinity;
  }

  function drag(before, now) {
    dragged += Math.hypot(now[0] - before[0], now[1] - before[1]);
    canvas.move((camera) => {
      camera.x -= (now[0] - before[0]) / camera.scale;
      camera.y -= (now[1] - before[1]) / camera.scale;
    });
  }

  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    dragged = 0;
    spread = 0;
  });
  element.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return hover(hit(event));
    pointers.set(event.pointerId, at(event));
    if (pointers.size > 1) pinch();
    else drag(before, at(event));
  });
  element.addEventListener("pointerleave", () => hover(null));
  const end = (event) => {
    if (pointers.delete(event.pointerId) && dragged < DRAG_PIXELS && event.type === "pointerup") select(hit(event));
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
