"use strict";

/** An element with attributes and children; a text child is text, whatever it looks like. */
function el(name, attributes = {}, ...children) {
  const made = name === "svg" || el.svg.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}
el.svg = new Set(["g", "path", "line", "circle", "rect", "text", "polyline"]);

/** The data of that name, unpacked once. */
async function unpack(name) {
  unpack.known ??= {};
  return (unpack.known[name] ??= (async () => {
    const text = document.getElementById(`data-${name}`).textContent;
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  })());
}

/** A button that changes between the light and the dark look, and remembers it where the browser lets it. */
function themeButton() {
  const kept = (value) => {
    try {
      if (value) localStorage.setItem("treatise-theme", value);
      return localStorage.getItem("treatise-theme");
    } catch { return null; }
  };
  const root = document.documentElement;
  const wanted = kept();
  if (wanted) root.dataset.theme = wanted;
  const flip = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    kept(root.dataset.theme);
  };
  return el("button", { onclick: flip, title: "Light or dark", "aria-label": "Light or dark", class: "screen" }, "◐");
}
