// Dragging a card presses the button that leads to the column; the buttons do the same without it.
const main = document.getElementById("main");
let dragged = null;

function findMove(card, column) {
  const pair = (card?.dataset.moves ?? "").split(" ").find((each) => each.startsWith(`${column.dataset.column}:`));
  return pair?.split(":")[1];
}

// A card can be dragged by a pointer only while it is pressed there, so that its text can be selected.
main.addEventListener("pointerdown", (event) => {
  const card = event.target.closest("[data-moves]");
  if (card) card.draggable = !event.target.closest("a, button, input, label, summary, dl, .task-text span");
});

main.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.("[data-moves]");
  if (!dragged) return;
  dragged.classList.add("dragged");
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", dragged.id);
});

main.addEventListener("dragover", (event) => {
  const column = event.target.closest("[data-column]");
  if (!column || !findMove(dragged, column)) return;
  event.preventDefault();
  mark(column);
});

main.addEventListener("dragend", () => {
  dragged?.classList.remove("dragged");
  dragged = null;
  mark(null);
});

main.addEventListener("drop", (event) => {
  const column = event.target.closest("[data-column]");
  const verb = column && findMove(dragged, column);
  if (!verb) return;
  event.preventDefault();
  const button = dragged.querySelector(`button[value="${verb}"]`);
  const text = button.closest("details")?.querySelector("[name=text]");
  if (!text || text.value) return button.form.requestSubmit(button);
  button.closest("details").open = true; // a block needs its reason
  text.focus();
});

function mark(column) {
  for (const each of main.querySelectorAll(".takes")) each.classList.toggle("takes", each === column);
  column?.classList.add("takes");
}
