// Beside the picture: the groups, or the selected atom with what it links to and the path to another.

import { findNear, findPath } from "./graph_model.js";

const MAX_LISTED = 60;
const COLOUR_COUNT = 12;

export function makeDetail(root, model, canvas) {
  const place = root.querySelector("[data-graph-detail]");
  const status = root.querySelector("[data-graph-status]");
  const introduction = [...place.childNodes];
  let pathStart = null;

  // Selects an atom, or none; a path that was begun ends there if the choice is final.
  function select(index, { isNear = false, isFinal = true } = {}) {
    const { marks } = canvas;
    marks.selected = index;
    marks.path = [];
    if (index === null) pathStart = null;
    show(index);
    if (pathStart !== null && pathStart !== index) showPath(index, isFinal);
    if (isNear && index !== null) canvas.fit([...findNear(model, index, 1)]);
    canvas.draw();
  }

  function showPath(index, isFinal) {
    const { marks } = canvas;
    marks.path = findPath(model, pathStart, index);
    const steps = marks.path.length - 1;
    if (steps > 0) place.append(make("h3", "Path"), list(marks.path));
    say(steps < 0 ? "No path of links between the two." : `A path of ${count(steps, "link")}.`);
    if (isFinal) pathStart = null;
  }

  // Ends a path that was begun, or opens the selected atom.
  function accept() {
    if (pathStart !== null) pathStart = null;
    else place.querySelector("h2 a")?.click();
  }

  function show(index) {
    if (index === null) return showGroups();
    const node = model.nodes[index];
    const link = make("a", node.ref);
    link.href = root.dataset.atom.replace("REF", node.ref.split("/").map(encodeURIComponent).join("/"));
    place.replaceChildren(
      make("h2", [link]),
      make("p", node.summary),
      make("p", `${node.kind} · ${node.status || "no status"} · ${count(node.links, "link")}`, "muted"),
      make("p", [button("Path from here", () => begin(index)), button("Only nearby", () => limit(findNear(model, index, 2)))], "actions"),
    );
    const near = [...new Set(model.neighbours[index])].sort((a, b) => model.nodes[b].links - model.nodes[a].links);
    if (near.length) place.append(make("h3", "Linked"), list(near));
    say(`${node.ref}, ${count(node.links, "link")}.`);
  }

  function begin(index) {
    pathStart = index;
    say(`Select the other end of the path from ${model.nodes[index].ref}.`);
    root.querySelector("canvas").focus();
  }

  function showGroups() {
    const groups = new Map();
    for (const node of model.byLinks) {
      if (node.community >= COLOUR_COUNT) continue;
      if (!groups.has(node.community)) groups.set(node.community, []);
      groups.get(node.community).push(node.index);
    }
    const shown = [...groups].filter(([, members]) => members.length > 1).sort(([a], [b]) => a - b);
    const items = shown.map(([community, members]) => {
      const entry = button(model.nodes[members[0]].ref, () => limit(new Set(members)));
      return make("li", [make("span", "", `swatch swatch-${community}`), entry, make("span", count(members.length, "atom"), "muted")]);
    });
    place.replaceChildren(...introduction, make("ul", items, "graph-list groups"));
  }

  function list(indices) {
    const items = indices.slice(0, MAX_LISTED).map((index) => {
      const entry = button(model.nodes[index].ref, () => {
        select(index);
        place.querySelector("a").focus();
      });
      return make("li", [entry, make("span", model.nodes[index].summary, "lines")]);
    });
    if (indices.length > MAX_LISTED) items.push(make("li", `${indices.length - MAX_LISTED} more`, "muted"));
    return make("ul", items, "graph-list");
  }

  function limit(shown) {
    model.shown = shown;
    canvas.refresh();
    canvas.fit();
    say(shown ? `${count(shown.size, "atom")} shown.` : "All atoms are shown.");
  }

  function say(text) {
    status.textContent = text;
  }

  showGroups();
  return { select, accept, limit, say };
}

function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
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
