// A change made elsewhere shows without reloading. The server says what state there is: over one
// stream while the page is visible, or, where no stream can be had, when asked at intervals. A
// browser has six connections to a server for all its tabs: at most three of them are streams.
import { readPage, swap, wouldLose } from "./fetch_page.js";
import { hideNotice, isShown, showNotice } from "./notice.js";

const POLL_MS = 3000;
const GRACE_MS = 1500;
const SILENCE_MS = 40000; // longer than two heartbeats
const LATER_MS = 1000;
const MAX_STREAMS = 3;
const PARTS = ["tree", "given", "work"];
const LOST = "The server does not answer. What you typed stays; the page tries again.";

export function startLive(refresh) {
  const main = document.getElementById("main");
  let newest = main.dataset.state;
  let stream = null;
  let heard = Date.now();
  let timer = 0;
  let isUpdating = false;
  let number = 0;
  let leave = () => {};

  function take(state) {
    const isOther = state !== newest;
    newest = state;
    if (isOther) document.dispatchEvent(new Event("cortexfs:changed"));
    look().catch(() => {});
  }

  async function look() {
    if (newest === main.dataset.state || isUpdating || isBusy()) return;
    isUpdating = true;
    try {
      const target = newest;
      if (isNews(main, target)) await update(target);
      else main.dataset.state = target;
    } finally {
      isUpdating = false;
    }
  }

  async function update(target) {
    const live = main.dataset.live;
    if (live === "tell" || live === "ask") {
      main.dataset.state = target;
      if (live === "tell") showNotice("changed", "Something has changed since this page was made.");
      else showNotice("changed", "Something has changed.", "Show it", () => location.reload());
      return;
    }
    const page = await readPage(await fetch(location.href, { headers: { "X-Partial": "yes" } }));
    const fresh = page.getElementById("main");
    if (isBusy()) return;
    const results = main.querySelector("[data-results]");
    if (results && fresh.querySelector("[data-results]")) { // its field belongs to the search
      swap(results, fresh.querySelector("[data-results]"));
      main.dataset.state = target;
      refresh();
      return;
    }
    if (wouldLose(main, fresh)) {
      main.dataset.state = target;
      showNotice("changed", "This page has changed. What you typed has no place on the new one.", "Show it", () => location.reload());
      return;
    }
    swap(main, fresh);
    main.dataset.state = target;
    document.title = page.title;
    refresh();
  }

  async function open() {
    close();
    heard = Date.now();
    const own = ++number;
    const free = await takePlace();
    if (own !== number) return free?.();
    if (!free) return poll();
    leave = free;
    stream = new EventSource(`/changes/events?${new URLSearchParams({ state: main.dataset.state })}`);
    stream.addEventListener("open", answered);
    stream.addEventListener("state", (event) => { answered(); take(JSON.parse(event.data)); });
    stream.addEventListener("heartbeat", answered);
    stream.addEventListener("problem", (event) => { answered(); tell(JSON.parse(event.data)); });
    stream.addEventListener("error", () => {
      setTimeout(() => { if (stream && stream.readyState !== EventSource.OPEN) lost(); }, GRACE_MS);
      if (stream?.readyState === EventSource.CLOSED) poll();
    });
  }

  function close() {
    number += 1;
    clearTimeout(timer);
    stream?.close();
    stream = null;
    leave();
    leave = () => {};
  }

  // A stream that was refused is not tried again by the browser: ask, and try it anew.
  function poll() {
    close();
    timer = setTimeout(async () => {
      try {
        const answer = await fetch("/changes");
        if (answer.status === 401 || answer.status === 403) return showNotice("refused", "This browser may not ask any more: run `cortexfs ui` again. What you typed stays.");
        if (!answer.ok) throw new Error(String(answer.status));
        take((await answer.json()).state);
        open();
      } catch {
        lost();
        poll();
      }
    }, POLL_MS);
  }

  function answered() {
    heard = Date.now();
    hideNotice("lost");
  }

  function lost() {
    if (!document.hidden && !isShown("lost")) showNotice("lost", LOST);
  }

  function tell(text) {
    if (text) showNotice("problem", `The tree cannot be read now: ${text}`);
    else hideNotice("problem");
  }

  setInterval(() => {
    look().catch(() => {});
    if (stream && Date.now() - heard > SILENCE_MS) open();
  }, LATER_MS);
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  if (!document.hidden) open();
}

// Returns what gives the place of a stream free again; null if all places are taken.
async function takePlace() {
  if (!navigator.locks) return () => {};
  for (let place = 0; place < MAX_STREAMS; place += 1) {
    const free = await new Promise((resolve) => {
      navigator.locks.request(`cortexfs-stream-${place}`, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise((end) => resolve(end));
      }).catch(() => resolve(null));
    });
    if (free) return free;
  }
  return null;
}

function isNews(main, state) {
  const [shown, now] = [main.dataset.state.split(" "), state.split(" ")];
  const watched = main.dataset.live === "tell" || main.dataset.live === "ask" ? "tree" : main.dataset.live;
  return PARTS.some((part, at) => watched.includes(part) && shown[at] !== now[at]);
}

// What an update would disturb, although it restores focus and typed text.
function isBusy() {
  const isChoosing = document.activeElement?.localName === "select";
  const isMoving = document.querySelector("dialog[open], .dragged, [aria-busy=true], main :active");
  return isChoosing || Boolean(isMoving) || !getSelection().isCollapsed;
}
