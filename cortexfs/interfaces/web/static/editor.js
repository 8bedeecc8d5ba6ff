// Findings about a text while it is typed. What is not saved is kept in this tab until it is.
import { fetchPage } from "./fetch_page.js";

const PAUSE_MS = 400;

export function startEditor() {
  const form = document.querySelector("[data-editor]:not([data-started])");
  if (!form) return;
  form.dataset.started = "yes";
  const text = form.querySelector("#text");
  const before = form.querySelector("[name=before]");
  const place = form.querySelector("#flaws");
  const draft = `cortexfs:draft:${form.dataset.draft ?? location.pathname}`;
  let number = 0;
  let timer = 0;

  async function check() {
    const own = ++number;
    const body = new URLSearchParams(new FormData(form));
    body.delete("before"); // the server has it
    const answer = await fetch(form.dataset.editor, { method: "POST", body });
    if (own !== number) return;
    if (!answer.ok) {
      place.textContent = `The text was not checked (${answer.status}).`;
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (own === number) place.replaceChildren(...document.adoptNode(page.body).childNodes);
  }

  // Somebody saved another text meanwhile: said now, and again with both texts when it is saved.
  async function compare() {
    if (!form.isConnected) return;
    const page = await fetchPage(location.href);
    const present = page.querySelector("[data-editor] [name=before]")?.value;
    if (present === undefined || present === before.value) return;
    if (text.value === before.value) location.reload();
    else say("notice bad", "Somebody has saved another text meanwhile. Save or preview yours to see both; nothing is overwritten.");
  }

  function say(name, line) {
    const found = form.querySelector("[data-said]") ?? document.createElement("p");
    found.dataset.said = "yes";
    found.className = name;
    found.setAttribute("role", "status");
    found.textContent = line;
    if (!found.isConnected) form.prepend(found);
    return found;
  }

  function offerDraft() {
    const kept = readDraft(draft);
    if (kept === null || kept === text.value) return;
    const line = say("notice", "A text of yours was not saved. ");
    for (const [label, act] of [["Show it", () => { text.value = kept; check().catch(() => {}); }], ["Forget it", () => sessionStorage.removeItem(draft)]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "small";
      button.textContent = label;
      button.addEventListener("click", () => { act(); line.remove(); text.focus(); });
      line.append(button, " ");
    }
  }

  form.addEventListener("input", () => {
    if (text.value !== before.value) writeDraft(draft, text.value);
    else sessionStorage.removeItem(draft);
    clearTimeout(timer);
    timer = setTimeout(() => check().catch(() => {}), PAUSE_MS);
  });
  form.addEventListener("cortexfs:sent", (event) => {
    if (!event.detail.isDone) return;
    sessionStorage.removeItem(draft);
    before.value = text.value;
  });
  document.addEventListener("cortexfs:changed", () => compare().catch(() => {}));
  window.addEventListener("beforeunload", (event) => {
    if (form.isConnected && text.value !== before.value) event.preventDefault();
  });
  offerDraft();
}

function readDraft(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function writeDraft(name, text) {
  try {
    sessionStorage.setItem(name, text);
  } catch { /* full, or switched off: the text is still in the form */ }
}
