// Loads parts of a page that take longer; without scripts a link leads to them.
import { fetchPage } from "./fetch_page.js";

export function startParts() {
  for (const place of document.querySelectorAll("[data-load]")) load(place);
}

async function load(place) {
  const address = place.dataset.load;
  delete place.dataset.load;
  place.dataset.loaded = address;
  try {
    const part = (await fetchPage(address)).querySelector("[data-part]");
    if (part) place.replaceChildren(...document.adoptNode(part).childNodes);
  } catch (error) {
    const text = document.createElement("p");
    text.className = "muted";
    text.textContent = `Not loaded (${error.message}).`;
    place.append(text);
  }
}
