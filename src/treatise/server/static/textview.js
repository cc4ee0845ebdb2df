// The text of a document around a place, with the cited characters marked.

import * as api from "./api.js";
import {h, points, replace, tame} from "./dom.js";
import {t} from "./i18n.js";

const AROUND = 6_000;
const MORE = 20_000;
const MARKS = 8;  // characters of a heading's marks, such as "## "
const COLUMNS = /\S\t+\S[^\n]*\t/;  // the cells of a table

export class TextView {
  constructor(viewer) {
    Object.assign(this, {viewer, place: viewer.place, total: viewer.outline.characters});
    this.abort = new AbortController();
    this.body = h("div", {class: "text", dir: "auto"});
  }

  async draw() {
    const {start, end} = this.place;
    this.viewer.content.append(this.body);
    await this.load(Math.max(0, start - AROUND), Math.min(this.total, Math.max(start, end) + AROUND));
    this.show();
    const mark = this.body.querySelector("mark");
    if (mark) mark.scrollIntoView({block: "center"});
    else this.viewer.content.scrollTop = 0;
  }

  async load(start, end) {
    const found = await api.get(`/documents/${this.place.document}/text?start=${start}&end=${end}`, {signal: this.abort.signal});
    Object.assign(this, {start: found.start, end: found.end, text: points(found.text)});
  }

  show() {
    const [a, b] = [this.place.start, this.place.end].map(edge => Math.min(Math.max(edge, this.start), this.end) - this.start);
    const hasColumns = COLUMNS.test(this.text.slice(0, this.text.length));
    replace(this.body,
      this.start > 0 && h("button", {type: "button", class: "more", onclick: () => this.more(-1)}, t("before")),
      h("div", {class: hasColumns ? "run columns" : "run"}, this.run(0, a), b > a && h("mark", {}, tame(this.text.slice(a, b))), this.run(b, this.text.length)),
      this.end < this.total && h("button", {type: "button", class: "more", onclick: () => this.more(1)}, t("after")));
  }

  // The text between two places, with the lines of headings in bold.
  run(from, to) {
    const parts = [];
    let at = from;
    for (const one of this.viewer.outline.outline) {
      const start = one.start - this.start;
      if (!one.title || start < at || start >= to) continue;
      const line = this.text.slice(start, Math.min(to, start + points(one.title).length + MARKS)).split("\n", 1)[0];
      if (!line.includes(one.title)) continue;
      parts.push(tame(this.text.slice(at, start)), h("b", {class: "heading"}, tame(line)));
      at = start + points(line).length;
    }
    return [...parts, tame(this.text.slice(at, to))];
  }

  async more(step) {
    const height = this.body.scrollHeight;
    await this.load(step < 0 ? Math.max(0, this.start - MORE) : this.start, step > 0 ? Math.min(this.total, this.end + MORE) : this.end);
    this.show();
    if (step < 0) this.viewer.content.scrollTop += this.body.scrollHeight - height;
  }

  stop() {
    this.abort.abort();
  }
}
