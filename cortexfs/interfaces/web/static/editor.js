// Findings about a text while it is typed, and a warning before it is lost.
const PAUSE_MS = 400;

export function startEditor() {
  const form = document.querySelector("[data-editor]");
  if (!form) return;
  const text = form.querySelector("#text");
  const place = form.querySelector("#flaws");
  let number = 0;
  let timer = 0;
  let isSaved = false;

  async function check() {
    const own = ++number;
    const body = new URLSearchParams({ csrf: form.elements.csrf.value, text: text.value });
    const answer = await fetch(form.dataset.editor, { method: "POST", body });
    if (own !== number) return;
    if (!answer.ok) {
      place.textContent = `The text was not checked (${answer.status}).`;
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (own === number) place.replaceChildren(...document.adoptNode(page.body).childNodes);
  }

  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => check().catch(() => {}), PAUSE_MS);
  });
  form.addEventListener("submit", () => { isSaved = true; });
  window.addEventListener("beforeunload", (event) => {
    if (!isSaved && text.value !== text.defaultValue) event.preventDefault();
  });
}
