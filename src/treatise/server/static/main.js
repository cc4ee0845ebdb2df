// Starts the page: the bar at the top, the three panes, and the keys that work everywhere.

import {Ask} from "./ask.js";
import {byId, h, icon, iconButton, replace} from "./dom.js";
import {languages, t} from "./i18n.js";
import {askForKey} from "./keys.js";
import {Library} from "./library.js";
import {applyTheme, settings} from "./settings.js";
import {Viewer} from "./viewer.js";

const THEMES = ["auto", "light", "dark"];

const viewer = new Viewer(byId("viewer"));
const library = new Library(byId("library"), {
  onOpen: (entry, opener) => viewer.open({document: entry.document, start: 0, end: 0}, opener),
  onChange: () => ask.update(),
});
const ask = new Ask(byId("talk"), library, {onPlace: (place, opener) => viewer.open(place, opener)});

function top() {
  const language = h("select", {id: "language", "aria-label": t("language"), onchange: event => {
    settings.language = event.target.value;
    draw();
  }}, languages.map(([code, name]) => h("option", {value: code, selected: code === settings.language}, name)));
  const theme = iconButton("sun", `${t("theme")}: ${t(`theme.${settings.theme}`)}`, () => {
    settings.theme = THEMES[(THEMES.indexOf(settings.theme) + 1) % THEMES.length];
    applyTheme();
    top();
    byId("theme").focus();
  }, {id: "theme"});
  const shelf = h("button", {type: "button", class: "shelf", "aria-expanded": String(!document.body.classList.contains("no-library")),
    "aria-controls": "library", onclick: () => { toggleLibrary(); }}, icon("books"), h("span", {}, t("library.show")));
  const key = settings.key && iconButton("key", t("key.forget"), () => { settings.key = ""; location.reload(); });
  replace(byId("top"), h("h1", {class: "brand"}, "Treatise"), shelf, h("span", {class: "space"}), language, theme, key);
}

function toggleLibrary(isHidden = !document.body.classList.contains("no-library")) {
  document.body.classList.toggle("no-library", isHidden);
  document.querySelector(".shelf").setAttribute("aria-expanded", String(!isHidden));
}

function draw() {
  document.documentElement.lang = settings.language;
  byId("skip").textContent = t("skip");
  top();
  library.draw();
  ask.draw();
  viewer.draw();
}

document.addEventListener("keydown", event => {
  const isTyping = event.target.closest?.("input, textarea, select");
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    byId("question").focus();
  }
  if (event.key === "Escape" && !document.querySelector("dialog[open]") && !closeSheets()) viewer.close();
});

// A document needs the room of the library, which comes back when the document is closed.
let wasShown = false;
viewer.onToggle = isOpen => {
  const isChange = isOpen && !document.body.classList.contains("reading");
  document.body.classList.toggle("reading", isOpen);
  const isShown = !document.body.classList.contains("no-library");
  if (isChange && isShown && window.innerWidth < 1800) {
    wasShown = window.innerWidth >= 720;
    toggleLibrary(true);
  } else if (!isOpen && wasShown) {
    wasShown = false;
    toggleLibrary(false);
  }
};

async function start() {
  applyTheme();
  toggleLibrary(window.innerWidth < 720);
  try {
    await Promise.all([library.load(), ask.load()]);
    library.resume().catch(() => {});  // a key may see no jobs
  } catch (error) {
    if (error.status !== 401) return ask.fail(error);
    await askForKey(settings.key !== "");
    return start();
  }
}

document.body.classList.toggle("no-library", window.innerWidth < 720);
draw();
await start();
addEventListener("beforeprint", () => document.querySelectorAll(".further").forEach(one => { one.open = true; }));
window.addEventListener("unhandledrejection", event => {
  if (event.reason?.status !== 401) return;
  event.preventDefault();
  askForKey(true).then(start);
});
if (library.entries.length) byId("question").focus({preventScroll: true});
document.documentElement.dataset.ready = "true";

// Closes the options and the ways to save that are open, except those around an element; whether there was one.
function closeSheets(kept = null) {
  const open = [...document.querySelectorAll(".options[open], .export[open]")].filter(one => !one.contains(kept));
  open.forEach(one => {
    const hasFocus = one.contains(document.activeElement);
    one.open = false;
    if (hasFocus) one.firstChild.focus();
  });
  return open.length > 0;
}

addEventListener("pointerdown", event => closeSheets(event.target));
