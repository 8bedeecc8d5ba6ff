// What is chosen in a list is shown beside it without loading the page anew; the list stays where it is.
import { fetchPage, swap } from "./fetch_page.js";

let newest = 0;

export function startPanes(refresh) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-choose]");
    const isPlain = !event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    choose(link.href, refresh).catch(() => location.assign(link.href));
  });
}

async function choose(address, refresh) {
  const number = ++newest;
  const page = await fetchPage(address);
  if (number !== newest) return; // another one was chosen meanwhile
  const row = document.querySelector("[data-row].current")?.id;
  swap(document.getElementById("main"), page.getElementById("main"));
  if (row) document.getElementById(row)?.classList.add("current");
  history.replaceState(null, "", address.split("#")[0]);
  refresh();
  const pane = document.getElementById("chosen");
  const isBelow = pane.getBoundingClientRect().top > innerHeight / 2;
  pane.focus({ preventScroll: true });
  if (isBelow) pane.scrollIntoView();
}
