// Builds elements. Text from documents and people enters the page as text nodes only, never as markup.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = id => document.getElementById(id);

// Text of unknown direction and origin: isolated, so that it cannot reorder what stands around it.
export const foreign = (text, properties = {}) => h("bdi", properties, tame(text));

// Characters that turn the direction of the text after them, and control characters, are shown as a mark.
export const tame = text => String(text).replace(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f]/g, "\ufffd");

const ICONS = {
  close: "M5 5l10 10M15 5L5 15",
  left: "M12 4l-6 6 6 6",
  right: "M8 4l6 6-6 6",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  upload: "M10 13V4M6 8l4-4 4 4M4 13v3h12v-3",
  stop: "M6 6h8v8H6z",
  key: "M12 8a3 3 0 1 1-3 3 3 3 0 0 1 3-3zM9.7 12.7L4 17v-3",
  sun: "M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.4 1.4M14.3 14.3l1.4 1.4M4.3 15.7l1.4-1.4M14.3 5.7l1.4-1.4",
  books: "M4 4h3v12H4zM8.5 4h3v12h-3zM13 4.6l2.8-.7 2.7 11.6-2.8.7z",
};

export function icon(name) {
  return svg("svg", {viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true"}, svg("path", {d: ICONS[name]}));
}

export function iconButton(name, label, onclick, properties = {}) {
  return h("button", {type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...properties}, icon(name));
}

// Offsets count code points, as the server's do; JavaScript's own strings count UTF-16 units.
export function points(text) {
  if (!/[\ud800-\udfff]/.test(text)) return {length: text.length, slice: (a, b) => text.slice(a, b)};
  const all = Array.from(text);
  return {length: all.length, slice: (a, b) => all.slice(a, b).join("")};
}

let announcer;
export function announce(text) {
  announcer ??= byId("announcer");
  announcer.textContent = text;
}

export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const link = h("a", {href: url, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
