// Loads parts of a page that take longer; without scripts a link leads to them.
import { fetchPage } from "./fetch_page.js";

const AGAIN_MS = 1000;

export function startParts() {
  for (const place of document.querySelectorAll("[data-load]")) load(place);
}

function load(place) {
  const address = place.dataset.load;
  delete place.dataset.load;
  place.dataset.loaded = address;
  return fill(place, address);
}

async function fill(place, address) {
  try {
    const part = (await fetchPage(address)).querySelector("[data-part]");
    if (part) place.replaceChildren(...document.adoptNode(part).childNodes);
    if (place.querySelector("[data-as-of]")) fillLater(place, address);
  } catch (error) {
    const text = document.createElement("p");
    text.className = "muted";
    text.textContent = `Not loaded (${error.message}).`;
    place.append(text);
  }
}

// What is of an earlier state is loaded again, but not while somebody chooses in it.
function fillLater(place, address) {
  setTimeout(() => {
    if (!place.isConnected || place.dataset.load) return;
    if (place.contains(document.activeElement) || !getSelection().isCollapsed) fillLater(place, address);
    else fill(place, address);
  }, AGAIN_MS);
}
