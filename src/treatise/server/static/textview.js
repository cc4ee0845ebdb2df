// The text of a document around a place, with the cited characters marked.

import * as api from "./api.js";
import {h, points, replace, tame} from "./dom.js";
import {t} from "./i18n.js";

const AROUND = 6_000;
const MORE = 20_000;
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
      h("div", {class: hasColumns ? "run columns" : "run"}, tame(this.text.slice(0, a)), b > a && h("mark", {}, tame(this.text.slice(a, b))), tame(this.text.slice(b, this.text.length))),
      this.end < this.total && h("button", {type: "button", class: "more", onclick: () => this.more(1)}, t("after")));
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
