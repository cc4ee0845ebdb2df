// The rhetorical graph of a question: its passages in a column, an arc for each relation, conflicts in red.

import * as api from "./api.js";
import {foreign, h, replace, svg} from "./dom.js";
import {t} from "./i18n.js";
import {messageOf} from "./messages.js";

const CONFLICTS = new Set(["CONTRADICTS", "CONTRASTS_WITH", "PREVENTS", "REPLACES"]);
const CAUSES = new Set(["CAUSES", "RESULTS_FROM", "ENABLES", "MOTIVATES", "JUSTIFIES"]);
const MAX_ARCS = 14;  // more are a thicket; every relation is in words below its passage
const COLUMN = 14;  // at most; narrower on a narrow page
const GUTTER = 0.18;  // of the page, for all columns together
const BOW = 12;

export const familyOf = link => (CONFLICTS.has(link) ? "conflict" : CAUSES.has(link) ? "cause" : "support");

export class GraphView {
  constructor(body, onPlace) {
    Object.assign(this, {body, onPlace, isOpen: false});
    this.element = h("section", {class: "graph", hidden: true, "aria-label": t("graph.title")});
    this.button = h("button", {type: "button", class: "relate", "aria-expanded": "false", onclick: () => this.toggle()}, t("graph"));
  }

  async toggle() {
    this.isOpen = !this.isOpen;
    this.element.hidden = !this.isOpen;
    this.button.setAttribute("aria-expanded", String(this.isOpen));
    this.button.textContent = t(this.isOpen ? "graph.hide" : "graph");
    if (!this.isOpen || this.graph) return;
    replace(this.element, h("p", {class: "dim"}, t("graph.loading")));
    try {
      const {llm, recipe, ...body} = this.body;
      this.graph = await api.post("/graph", body);
      this.draw();
      this.element.scrollIntoView({block: "nearest", behavior: "smooth"});
    } catch (error) {
      replace(this.element, h("p", {class: "error", role: "alert"}, messageOf(error)));
    }
  }

  draw() {
    const {passages, links: all, notes} = this.graph;
    const links = strongest(all);
    const columns = columnsOf(links);
    const n = 1 + Math.max(-1, ...columns);
    const column = Math.max(4, Math.min(COLUMN, GUTTER * this.element.clientWidth / n));
    const width = column * n + BOW * 2;
    const cards = passages.map((one, at) => this.card(one, at, all));
    const arcs = svg("svg", {class: "arcs", width, "aria-hidden": "true"});
    replace(this.element, h("h3", {}, t("graph.title")),
      !links.length && h("p", {class: "dim"}, t("graph.none")),
      h("div", {class: "drawing", style: {paddingInlineStart: links.length ? `${width}px` : "0"}}, links.length > 0 && arcs, h("ol", {class: "passages"}, cards)),
      notes.map(note => h("p", {class: "dim small"}, note)));
    this.observer?.disconnect();
    this.observer = new ResizeObserver(() => drawArcs(arcs, cards, links, columns.map(at => width - BOW - column * (at + 0.5)), width));
    this.observer.observe(arcs.parentElement ?? this.element);
  }

  card(passage, at, links) {
    const from = links.filter(link => link.source === at);
    return h("li", {dataset: {passage: at + 1}},
      h("button", {type: "button", class: "passage", title: t("show"),
        onclick: event => this.onPlace({...passage, quote: passage.text}, event.currentTarget)},
      h("span", {class: "number"}, String(at + 1)), foreign(passage.text.trim())),
      h("ul", {class: "links"}, [...Map.groupBy(from, link => link.link)].map(([link, some]) => h("li", {class: familyOf(link)},
        `${t(`l.${link}`)} ${some.map(one => one.target + 1).join(", ")}`))));
  }
}

// The relations to draw: conflicts first, then those that are most certain.
function strongest(links) {
  const weight = link => link.score + (familyOf(link.link) === "conflict" ? 10 : 0);
  return [...links].sort((a, b) => weight(b) - weight(a)).slice(0, MAX_ARCS);
}

// The column of each arc, so that arcs over the same passages do not share one; short arcs come first.
function columnsOf(links) {
  const order = links.map((_, at) => at).sort((a, b) => span(links[a]) - span(links[b]));
  const taken = [];
  const columns = links.map(() => 0);
  for (const at of order) {
    const [low, high] = ends(links[at]);
    let column = taken.findIndex(spans => spans.every(([a, b]) => high <= a || b <= low));
    if (column < 0) column = taken.push([]) - 1;
    taken[column].push([low, high]);
    columns[at] = column;
  }
  return columns;
}

const ends = link => [link.source, link.target].sort((a, b) => a - b);
const span = link => Math.abs(link.source - link.target);

function drawArcs(arcs, cards, links, lefts, width) {
  const middles = cards.map(card => card.offsetTop + card.firstChild.offsetHeight / 2);
  const last = cards.at(-1);
  arcs.setAttribute("height", last ? last.offsetTop + last.offsetHeight : 0);
  replace(arcs, links.map((link, at) => {
    const nudge = (at % 3 - 1) * 4;
    const [from, to] = [middles[link.source] + nudge, middles[link.target] + nudge];
    const x = lefts[at];
    const edge = width - 2;
    return svg("g", {class: `arc ${familyOf(link.link)}`}, svg("title", {}, `${link.source + 1} ${t(`l.${link.link}`)} ${link.target + 1}`),
      svg("path", {class: "line", d: `M${edge} ${from}H${x + 5}Q${x} ${from} ${x} ${from + Math.sign(to - from) * 5}V${to - Math.sign(to - from) * 5}Q${x} ${to} ${x + 5} ${to}H${edge - 6}`}),
      svg("path", {class: "tip", d: `M${edge} ${to}l-7 -4v8z`}));
  }));
}
