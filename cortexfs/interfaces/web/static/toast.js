// The message after a change: it stays while it is read, and the change stays in the history.
const BASE_MS = 6000;
const PER_CHARACTER_MS = 120;

export function startToast() {
  const toast = document.getElementById("toast");
  if (!toast || toast.hidden) return;
  const address = new URL(location.href);
  address.searchParams.delete("done");
  history.replaceState(null, "", address);
  const close = toast.querySelector(".toast-close");
  close.hidden = false;
  close.addEventListener("click", () => { toast.hidden = true; });
  const wait = BASE_MS + PER_CHARACTER_MS * toast.textContent.trim().length;
  let timer = 0;
  const stop = () => clearTimeout(timer);
  const run = () => { stop(); timer = setTimeout(() => { toast.hidden = true; }, wait); };
  for (const name of ["pointerenter", "focusin"]) toast.addEventListener(name, stop);
  for (const name of ["pointerleave", "focusout"]) toast.addEventListener(name, run);
  run();
}
