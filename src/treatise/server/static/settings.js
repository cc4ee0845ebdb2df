// What the browser remembers: language, theme, and the key until the tab is closed.

function read(storage, name) {
  try { return storage().getItem(`treatise.${name}`) ?? ""; } catch { return ""; }
}

function write(storage, name, value) {
  try {
    if (value) storage().setItem(`treatise.${name}`, value);
    else storage().removeItem(`treatise.${name}`);
  } catch { /* a browser without storage forgets */ }
}

const local = () => window.localStorage;
const session = () => window.sessionStorage;

export const settings = {
  get language() { return read(local, "language") || (navigator.language.startsWith("de") ? "de" : "en"); },
  set language(value) { write(local, "language", value); },
  get theme() { return read(local, "theme") || "auto"; },
  set theme(value) { write(local, "theme", value === "auto" ? "" : value); },
  get key() { return read(session, "key"); },
  set key(value) { write(session, "key", value); },
};

export function applyTheme() {
  document.documentElement.dataset.theme = settings.theme;
}
