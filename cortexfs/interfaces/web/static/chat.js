// Sends a message and shows what happens until it is answered; the answer is a page of the server.
import { fetchPage, swap } from "./fetch_page.js";

const main = document.getElementById("main");
let isBusy = false;

main.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-chat]");
  if (!form) return;
  event.preventDefault();
  if (isBusy) return;
  isBusy = true;
  send(form, event.submitter)
    .catch((error) => show("notice bad", `No answer came: ${error.message}. The message may have been stored.`))
    .finally(() => { isBusy = false; });
});

main.addEventListener("keydown", (event) => {
  if (event.target.id !== "message" || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  show("", "Sending…");
  const answer = await fetch("/chat/events", { method: "POST", body });
  if (!answer.ok) return showRefusal(await answer.text());
  let thread = body.get("thread");
  let isDone = false;
  let failure = "";
  for await (const [name, data] of readEvents(answer.body)) {
    if (name === "thinking") {
      thread = data.thread_id;
      show("", "Thinking…");
    } else if (name === "tool_started") show("", `Calls ${data.tool}…`);
    else if (name === "error") failure = data.hint ? `${data.message} (${data.hint})` : data.message;
    isDone ||= name === "done";
  }
  await showThread(thread);
  if (failure) show("notice bad", failure);
  else if (isDone) show("hidden", "Answered.");
  else show("notice bad", "The connection ended before the answer was known. Load this page again.");
}

async function showThread(thread) {
  const address = `/chat?thread=${encodeURIComponent(thread)}`;
  const page = await fetchPage(address);
  swap(main, page.getElementById("main"));
  history.replaceState(null, "", address);
  document.title = page.title;
  document.getElementById("last")?.scrollIntoView({ block: "nearest" });
  document.getElementById("message").focus({ preventScroll: true });
}

function showRefusal(text) {
  const state = new DOMParser().parseFromString(text, "text/html").querySelector(".state");
  const lines = [...(state?.querySelectorAll("p") ?? [])].slice(0, 2).map((each) => each.textContent.trim());
  show("notice bad", lines.join(" ") || "The message was refused.");
}

function show(name, text) {
  const line = document.createElement("p");
  line.className = name;
  line.textContent = text;
  main.querySelector("[data-progress]").replaceChildren(line);
}

async function* readEvents(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const found = /^event: (\w+)\ndata: (.*)$/.exec(block);
      if (found) yield [found[1], JSON.parse(found[2])];
    }
  }
}
