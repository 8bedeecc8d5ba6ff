// Fetches a page of ours and returns its document; a page that is not whole is an error.
export async function fetchPage(address, options = {}) {
  const answer = await fetch(address, { ...options, headers: { "X-Partial": "yes", ...options.headers } });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Replaces an element by another and returns the focus to the element with the same id or address.
export function swap(old, fresh) {
  const active = document.activeElement;
  const inside = active && active !== document.body && old.contains(active);
  const id = inside && active.id;
  const href = inside && active.getAttribute("href");
  const value = inside && active.getAttribute("value");
  const open = [...old.querySelectorAll("details")].map((each) => each.open);
  const scroll = [...old.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
  old.replaceChildren(...document.adoptNode(fresh).childNodes);
  const details = old.querySelectorAll("details");
  if (details.length === open.length) details.forEach((each, at) => { each.open = open[at]; });
  old.querySelectorAll(".scroll").forEach((each, at) => { each.scrollLeft = scroll[at] ?? 0; });
  if (!inside) return;
  const found = (id && document.getElementById(id))
    || (href && old.querySelector(`[href="${CSS.escape(href)}"]`))
    || (value && old.querySelector(`[value="${CSS.escape(value)}"]`))
    || document.getElementById("main");
  found.focus({ preventScroll: true });
}
