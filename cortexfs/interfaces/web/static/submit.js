// Sends the forms that change something. Where nobody answers, the page stays with all that was
// typed; where the answer is this page, it is shown in place, with the focus where it was.
import { readPage, swap } from "./fetch_page.js";
import { hideNotice, showNotice } from "./notice.js";
import { startToast } from "./toast.js";

const BUSY = new WeakSet();
let isAnswer = false; // whether the page shows the answer to a form instead of its address

export function startSubmit(refresh) {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const isOurs = form.method === "post" && form.closest("main, .toasts") && form.getAttribute("action") !== "/preferences";
    if (event.defaultPrevented || !isOurs) return;
    event.preventDefault();
    if (BUSY.has(form)) return;
    BUSY.add(form);
    sendForm(form, event.submitter, refresh)
      .catch((error) => showNotice(error.kind ?? "refused", `Not sent: ${error.message}. What you typed stays; try again.`))
      .finally(() => BUSY.delete(form));
  });
}

export async function sendForm(form, submitter, refresh, more = {}) {
  hideNotice();
  const body = new URLSearchParams(new FormData(form, submitter));
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  const address = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
  const answer = await fetch(address, { method: "POST", body }).catch(() => {
    throw Object.assign(new Error("the server does not answer"), { kind: "lost" });
  });
  if (answer.status === 401 || answer.status === 403) {
    throw new Error("this page may not ask any more; run `cortexfs ui` again, and load the page");
  }
  const page = await readPage(answer);
  form.dispatchEvent(new CustomEvent("cortexfs:sent", { bubbles: true, detail: { isDone: answer.redirected } }));
  const at = new URL(answer.url);
  if (answer.redirected && at.pathname !== location.pathname) location.assign(answer.url);
  else show(page, answer.redirected ? at : null, refresh);
}

function show(page, address, refresh) {
  const main = document.getElementById("main");
  const fresh = page.getElementById("main");
  if (address) {
    showInPlace(main, fresh);
    address.searchParams.delete("done");
    history.replaceState(null, "", address);
  } else {
    isAnswer = true;
    history.pushState(null, "", location.href); // so that "back" leads to the form
    main.replaceChildren(...document.adoptNode(fresh).childNodes);
    Object.assign(main.dataset, { live: fresh.dataset.live });
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  document.title = page.title;
  const old = document.getElementById("toast");
  const toast = page.getElementById("toast");
  if (toast && !toast.hidden) {
    const isFocused = old.contains(document.activeElement);
    old.replaceWith(document.adoptNode(toast));
    if (isFocused) toast.querySelector("button").focus();
    startToast();
  }
  refresh();
}

// The form that was sent is empty again; what else was typed stays.
function showInPlace(main, fresh) {
  const active = document.activeElement?.closest("form");
  active?.reset();
  for (const box of main.querySelectorAll("input[name=ref]")) box.checked = box.defaultChecked;
  swap(main, fresh);
}

window.addEventListener("popstate", () => {
  if (isAnswer && !location.hash) location.reload();
});
