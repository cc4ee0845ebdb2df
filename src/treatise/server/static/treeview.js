// The discourse tree of a section: every line folds, relations are named in words.

import * as api from "./api.js";
import {foreign, h, points, replace, tame} from "./dom.js";
import {t} from "./i18n.js";
import {shorten} from "./turn.js";

const MAX_CHARACTERS = 12_000;
const OPEN_UNITS = 40;
const BEYOND = 20_000;

export class TreeView {
  constructor(viewer) {
    Object.assign(this, {viewer, place: viewer.place});
    this.abort = new AbortController();
    this.body = h("div", {class: "tree"});
  }

  async draw() {
    const section = this.viewer.sectionSpan(this.place.start);
    const start = section.end - section.start > MAX_CHARACTERS ? Math.max(section.start, this.place.start - MAX_CHARACTERS / 2) : section.start;
    const end = Math.min(section.end, start + MAX_CHARACTERS);
    this.viewer.content.append(this.body);
    replace(this.body, h("p", {class: "dim"}, t("tree.loading")));
    const query = `start=${start}&end=${end}`;
    const {signal} = this.abort;
    const path = `/documents/${this.place.document}`;
    const [tree, text] = await Promise.all([api.get(`${path}/structure?${query}`, {signal}), this.text(path, start, end, signal)]);
    const whole = points(text);
    const texts = tree.units.map(unit => whole.slice(unit.start - start, unit.end - start).replace(/\s+/g, " ").replace(/^#{1,6} /, "").trim());
    replace(this.body,
      h("h3", {}, t("tree.of", {section: tame(section.title)})),
      end < section.end || start > section.start ? h("p", {class: "dim small"}, t("tree.part")) : null,
      h("p", {class: "dim small"}, t(tree.tree.length ? "tree.hint" : "tree.none")),
      h("div", {class: "nodes"}, forest(tree.tree, texts, unit => this.isCited(tree.units[unit]))));
    this.body.querySelector(".cited")?.scrollIntoView({block: "center"});
  }

  // The last paragraph may reach beyond the part.
  async text(path, start, end, signal) {
    return (await api.get(`${path}/text?start=${start}&end=${Math.min(end + BEYOND, this.viewer.outline.characters)}`, {signal})).text;
  }

  isCited(unit) {
    return unit.start < this.place.end && this.place.start < unit.end;
  }

  stop() {
    this.abort.abort();
  }
}

// The trees over the units, left to right. Joins come in post-order, so children are built before their parents.
export function forest(joins, texts, isCited) {
  const built = new Map(texts.map((text, unit) => [unit, leaf(text, unit, isCited(unit))]));
  for (const join of joins) {
    const [left, right] = [built.get(join.start), built.get(join.split)];
    if (!left || !right || left.end !== join.split || right.end !== join.end) continue;
    built.delete(join.split);
    built.set(join.start, inner(join, left, right, texts.length));
  }
  return [...built.keys()].sort((a, b) => a - b).map(start => built.get(start).element);
}

function leaf(text, unit, isCited) {
  return {start: unit, end: unit + 1, nucleus: text, hasCited: isCited, element: h("p", {class: `unit${isCited ? " cited" : ""}`}, foreign(text))};
}

// Equal parts of one relation are one list, however the tree nests them.
function inner(join, left, right, n) {
  const roles = {NS: ["nucleus", "satellite"], SN: ["satellite", "nucleus"], NN: ["nucleus", "nucleus"]}[join.nuclearity] ?? ["nucleus", "nucleus"];
  const nucleus = (roles[0] === "satellite" ? right : left).nucleus;
  const hasCited = left.hasCited || right.hasCited;
  const series = roles.includes("satellite") ? "" : join.relation;
  const children = [left, right].flatMap((child, at) => (series && child.series === series ? child.children : [h("div", {class: roles[at]}, child.element)]));
  const isOpen = hasCited || join.end - join.start <= OPEN_UNITS || n <= OPEN_UNITS;
  return {start: join.start, end: join.end, nucleus, hasCited, series, children, element: h("details", {open: isOpen, class: roles.includes("satellite") ? "uneven" : ""},
    h("summary", {}, h("span", {class: `relation r-${join.relation}`}, t(`r.${join.relation}`)), " ",
      foreign(shorten(nucleus, 90), {class: "gist"})), children)};
}
