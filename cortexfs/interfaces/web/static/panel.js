// The panel works without scripts; these add speed and keys. Each module finds its own elements.
import { startEditor } from "./editor.js";
import { startFind } from "./find.js";
import { startKeys } from "./keys.js";
import { startLive } from "./live.js";
import { startMenus } from "./menu.js";
import { startPanes } from "./panes.js";
import { startParts } from "./parts.js";
import { startSelection } from "./selection.js";
import { startSubmit } from "./submit.js";
import { startToast } from "./toast.js";

document.documentElement.classList.add("js");
const start = () => {
  startEditor();
  startParts();
  startSelection();
};
startKeys();
startMenus();
startToast();
startFind(start);
startLive(start);
startSubmit(start);
startPanes(start);
start();
