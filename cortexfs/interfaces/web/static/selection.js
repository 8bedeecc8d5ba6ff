// Selecting many rows: all of a page, ranges with Shift, and how many are selected.
export function startSelection() {
  const form = document.querySelector("[data-bulk]:not([data-started])");
  if (form) start(form);
  for (const filters of document.querySelectorAll("[data-filters]:not([data-started])")) {
    filters.dataset.started = "yes";
    filters.addEventListener("change", (event) => {
      if (event.target.matches("select")) filters.requestSubmit();
    });
    filters.addEventListener("submit", () => {
      for (const each of filters.elements) if (each.name && !each.value) each.disabled = true;
    });
  }
}

function start(form) {
  form.dataset.started = "yes";
  const all = document.querySelector("[data-pick-all]");
  const boxes = [...document.querySelectorAll("input[name=ref]")];
  const everything = form.querySelector("[name=everything]");
  const text = form.querySelector("[data-picked]");
  let last = null;

  function show() {
    const count = boxes.filter((box) => box.checked).length;
    form.classList.toggle("active", count > 0 || Boolean(everything?.checked));
    text.textContent = everything?.checked ? "All matches selected" : `${count} selected`;
    all.checked = count > 0 && count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
  }

  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  everything?.addEventListener("change", show);
  boxes.forEach((box, at) => box.addEventListener("click", (event) => {
    if (event.shiftKey && last !== null) {
      const [start, end] = [Math.min(last, at), Math.max(last, at)];
      for (const other of boxes.slice(start, end + 1)) other.checked = box.checked;
    }
    last = at;
    show();
  }));
  window.addEventListener("pageshow", show);
  show();
}
