// Search as you type: waits for a pause, aborts the request before, and ignores late answers.
import { fetchPage, swap } from "./fetch_page.js";

const PAUSE_MS = 150;
const ANNOUNCE_MS = 800;

export function startFind(refresh) {
  const form = document.querySelector("[data-find]");
  if (!form) return;
  const field = form.querySelector("[name=q]");
  const results = document.getElementById("results");
  let number = 0;
  let timer = 0;
  let running = new AbortController();

  async function search() {
    const own = ++number;
    running.abort();
    running = new AbortController();
    const address = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
    results.setAttribute("aria-busy", "true");
    try {
      const page = await fetchPage(address, { signal: running.signal });
      if (own !== number) return;
      const fresh = page.getElementById("results");
      const status = fresh.querySelector("[data-announce]");
      status?.removeAttribute("role");
      swap(results, fresh);
      document.title = page.title;
      history.replaceState(null, "", address);
      refresh();
      setTimeout(() => { if (own === number) status?.setAttribute("role", "status"); }, ANNOUNCE_MS);
    } catch (error) {
      if (own !== number || error.name === "AbortError") return;
      const text = document.createElement("p");
      text.className = "notice bad";
      text.setAttribute("role", "alert");
      text.textContent = `The search failed (${error.message}). Press Enter to try again.`;
      results.replaceChildren(text);
    } finally {
      if (own === number) results.removeAttribute("aria-busy");
    }
  }

  field.addEventListener("input", (event) => {
    if (event.isComposing) return;
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    search();
  });
}
