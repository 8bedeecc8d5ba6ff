// One line over the page about the page itself: the server does not answer, or something has changed.
let shown = "";

// Shows a notice of a kind in place of any other; with a label it has a button.
export function showNotice(kind, text, label = "", act = null) {
  const element = findNotice();
  if (shown && element.firstChild?.textContent === text) return;
  shown = kind;
  const line = document.createElement("span");
  line.className = "toast-text";
  line.textContent = text;
  element.replaceChildren(line);
  if (label) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = label;
    button.addEventListener("click", act);
    element.append(button);
  }
  element.hidden = false;
}

export function hideNotice(kind = shown) {
  if (kind !== shown) return;
  shown = "";
  findNotice().hidden = true;
}

export function isShown(kind) {
  return shown === kind;
}

function findNotice() {
  const found = document.getElementById("notice");
  if (found) return found;
  const element = document.createElement("div");
  element.id = "notice";
  element.className = "toast";
  element.setAttribute("role", "status");
  element.hidden = true;
  document.querySelector(".toasts").append(element);
  return element;
}
