// Fetches a page of ours and returns its document; a page that is not whole is an error.
export async function fetchPage(address, options = {}) {
  const answer = await fetch(address, { ...options, headers: { "X-Partial": "yes", ...options.headers } });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return readPage(answer);
}

// Returns the document of an answer, also that of a refusal; throws if it is no page of ours.
export async function readPage(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page.getElementById("main") && !page.querySelector("[data-part]")) throw new Error(`${answer.status} ${answer.statusText}`);
  return page;
}

// Replaces the content of an element. Focus, typed text, selected rows and open details stay.
export function swap(old, fresh) {
  const kept = keep(old);
  old.replaceChildren(...document.adoptNode(fresh).childNodes);
  for (const name of ["live", "state"]) if (fresh.dataset[name] !== undefined) old.dataset[name] = fresh.dataset[name] || old.dataset[name];
  restore(old, kept);
}

// Returns whether something was typed or selected for which another content has no field.
export function wouldLose(old, fresh) {
  return changedFields(old).some((field) => !findField(fresh, field));
}

function keep(old) {
  const active = document.activeElement;
  const inside = active && active !== document.body && old.contains(active);
  return {
    active: inside ? active : null,
    caret: inside && active.selectionStart !== undefined ? readCaret(active) : null,
    card: inside && active.closest("[data-row][id]")?.id,
    fields: changedFields(old),
    loaded: new Map([...old.querySelectorAll("[data-loaded]")].map((each) => [each.dataset.loaded, [...each.childNodes]])),
    open: new Map([...old.querySelectorAll("details")].map((each, at) => [nameDetails(each, at), each.open])),
    scroll: [...old.querySelectorAll(".scroll")].map((each) => each.scrollLeft),
  };
}

function restore(main, { active, caret, card, fields, loaded, open, scroll }) {
  for (const place of main.querySelectorAll("[data-load]")) {
    if (loaded.has(place.dataset.load)) place.replaceChildren(...loaded.get(place.dataset.load));
  }
  for (const field of fields) {
    const found = findField(main, field);
    if (!found) continue;
    if (field.type === "checkbox") found.checked = field.checked;
    else found.value = field.value;
  }
  main.querySelectorAll("details").forEach((each, at) => { each.open = open.get(nameDetails(each, at)) ?? each.open; });
  main.querySelectorAll(".scroll").forEach((each, at) => { each.scrollLeft = scroll[at] ?? 0; });
  if (!active) return;
  const found = findSame(main, active) ?? (card && document.getElementById(card)) ?? document.getElementById("main");
  found.focus({ preventScroll: true });
  if (caret && found.matches("input, textarea")) writeCaret(found, caret);
}

function findSame(main, active) {
  if (active.id) return main.querySelector(`#${CSS.escape(active.id)}`);
  const row = active.closest("[data-row][id]");
  const place = (row && main.querySelector(`#${CSS.escape(row.id)}`)) || main;
  for (const name of ["href", "value", "aria-label"]) {
    const value = active.getAttribute(name);
    if (value) return place.querySelector(`${active.localName}[${name}="${CSS.escape(value)}"]`);
  }
  return null;
}

function changedFields(main) {
  return [...main.querySelectorAll("input:not([type=hidden]), textarea:not([hidden]), select")].filter((field) => {
    if (!field.id && !field.name) return false;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.localName !== "select") return field.value !== field.defaultValue;
    const chosen = [...field.options].findIndex((each) => each.defaultSelected);
    return field.selectedIndex !== Math.max(0, chosen);
  });
}

function findField(main, field) {
  const form = field.form?.id || field.closest("[data-row][id]")?.id;
  const place = (form && main.querySelector(`#${CSS.escape(form)}`)) || main;
  if (field.id) return main.querySelector(`#${CSS.escape(field.id)}`);
  const value = field.type === "checkbox" || field.type === "radio" ? `[value="${CSS.escape(field.value)}"]` : "";
  const selector = `${field.localName}[name="${CSS.escape(field.name)}"]${value}`;
  return place.querySelector(selector) ?? main.querySelector(selector);
}

function nameDetails(each, at) {
  return each.id || `${each.closest("[id]")?.id ?? ""}/${each.querySelector("summary")?.textContent ?? at}`;
}

function readCaret(field) {
  try {
    return [field.selectionStart, field.selectionEnd];
  } catch {
    return null;
  }
}

function writeCaret(field, [start, end]) {
  try {
    field.setSelectionRange(start, end);
  } catch { /* a field without a caret */ }
}
