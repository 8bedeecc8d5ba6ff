// A change made elsewhere shows without reloading, unless somebody is in the middle of something.
import { fetchPage, swap } from "./fetch_page.js";

const EVERY_MS = 3000;

export function startLive(refresh) {
  const main = document.getElementById("main");
  if (main.dataset.live !== "yes") return;
  let known = null;

  async function look() {
    if (document.hidden) return;
    const answer = await fetch("/changes");
    if (!answer.ok) return;
    const { state } = await answer.json();
    const isNew = known !== null && state !== known;
    if (isNew && isBusy(main)) return;
    known = state;
    if (!isNew) return;
    const page = await fetchPage(location.href);
    const fresh = page.getElementById("main");
    const field = main.querySelector("[data-find]");
    if (!fresh || isBusy(main) || field) return;
    swap(main, fresh);
    refresh();
  }

  setInterval(() => look().catch(() => {}), EVERY_MS);
  document.addEventListener("visibilitychange", () => look().catch(() => {}));
  look().catch(() => {});
}

function isBusy(main) {
  const active = document.activeElement;
  const isTyping = main.contains(active) && active.matches("input, select, textarea");
  const isSelecting = main.querySelector("input[name=ref]:checked");
  return isTyping || isSelecting || !getSelection().isCollapsed || document.querySelector("dialog[open]");
}
