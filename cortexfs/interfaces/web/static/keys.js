// Single keys, which can be switched off; none in fields, and none while text is composed.
const CHORD_MS = 1500;
let chord = 0;

export function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return leave(event);
    if (isTyping(event.target) || document.documentElement.dataset.keys === "off") return;
    if (document.querySelector("dialog[open]")) return;
    if (press(event)) event.preventDefault();
  });
}

function isTyping(element) {
  return element.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
}

function leave(event) {
  const active = document.activeElement;
  if (isTyping(active)) {
    event.preventDefault(); // else the browser empties a search field
    active.blur();
  }
  current()?.classList.remove("current");
}

function press(event) {
  const isChord = Date.now() - chord < CHORD_MS;
  chord = 0;
  if (isChord) return goTo(event.key);
  switch (event.key) {
    case "g": chord = Date.now(); return true;
    case "/": return focus(document.querySelector("[data-find] [name=q]") ?? document.getElementById("search"));
    case "?": document.getElementById("keys").showModal(); return true;
    case "j": return move(1);
    case "k": return move(-1);
    case "x": return pick();
    case "c": return click(document.querySelector("[data-new]"));
    case "e": return click(document.querySelector("[data-edit]"));
    case "o": return click(current()?.querySelector("[data-open]"));
    case "Enter": return event.target === document.body && click(current()?.querySelector("[data-open]"));
    default: return false;
  }
}

function goTo(key) {
  return click(document.querySelector(`#nav a[data-key="${CSS.escape(key)}"]`));
}

function current() {
  return document.querySelector("[data-row].current");
}

function move(step) {
  const rows = [...document.querySelectorAll("[data-row]")].filter((row) => row.offsetParent);
  if (!rows.length) return false;
  const old = current();
  const at = old ? rows.indexOf(old) + step : step > 0 ? 0 : rows.length - 1;
  const next = rows[Math.max(0, Math.min(rows.length - 1, at))];
  old?.classList.remove("current");
  next.classList.add("current");
  next.scrollIntoView({ block: "nearest" });
  next.querySelector("[data-open]")?.focus({ preventScroll: true });
  return true;
}

function pick() {
  const box = current()?.querySelector("input[name=ref]");
  if (!box) return false;
  box.click();
  return true;
}

function click(element) {
  element?.click();
  return Boolean(element);
}

function focus(element) {
  element?.focus();
  element?.select?.();
  return Boolean(element);
}
