// The picture of a PDF page, with boxes over the cited lines.

import * as api from "./api.js";
import {announce, h, iconButton, replace, tame} from "./dom.js";
import {t} from "./i18n.js";

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
const WHOLE = ZOOMS.indexOf(1);
const LARGEST_FIT = ZOOMS.indexOf(2);
const NARROW = 600;  // pixels; on a narrow screen the cited lines fill the width

export class PageView {
  constructor(viewer) {
    Object.assign(this, {viewer, outline: viewer.outline, place: viewer.place, boxes: [], sizes: [], zoom: WHOLE, url: ""});
    this.abort = new AbortController();
    this.sheet = h("div", {class: "paper"}, h("p", {class: "waiting"}, h("span", {class: "dots", "aria-hidden": "true"}), t("picture.loading")));
  }

  get n() {
    return this.outline.spans.length;
  }

  async draw() {
    const {start, end} = this.place;
    this.bar = h("div", {class: "turner"});
    this.viewer.content.append(this.bar, h("div", {class: "desk"}, this.sheet));
    const expected = this.place.page ?? this.viewer.pageAt(start);
    this.early = {page: expected, url: this.picture(expected)};  // both are made at the same time
    this.early.url.catch(() => {});  // reported when it is shown
    if (end > start) {
      const found = await api.get(`/documents/${this.outline.document}/boxes?start=${start}&end=${end}`, {signal: this.abort.signal});
      this.boxes = found.boxes;
    }
    await this.show(this.boxes[0]?.page ?? expected);
    if (this.boxes.length) announce(t("marked", {n: this.page}));
    else if (end > start) this.viewer.fallBack(t("noboxes"));
  }

  get pixels() {
    return Math.min(4, 1.5 * Math.max(1, Math.ceil(window.devicePixelRatio || 1)));
  }

  picture(page) {
    return api.picture(`/documents/${this.outline.document}/pages/${page}.png?scale=${this.pixels}`, this.abort.signal);
  }

  async show(page) {
    this.page = Math.min(Math.max(1, page), this.n);
    this.drawBar();
    const wanted = this.page;
    const early = this.early;
    this.early = null;
    if (early && early.page !== wanted) early.url.then(URL.revokeObjectURL, () => {});
    const url = await (early?.page === wanted ? early.url : this.picture(wanted));
    if (wanted !== this.page) return URL.revokeObjectURL(url);
    URL.revokeObjectURL(this.url);
    this.url = url;
    const image = h("img", {src: url, alt: t("picture", {n: wanted, title: tame(this.outline.title)}), draggable: "false"});
    await image.decode();
    const [width, height] = [image.naturalWidth / this.pixels, image.naturalHeight / this.pixels];
    const marks = this.boxes.filter(box => box.page === wanted).map(box => mark(box, width, height));
    replace(this.sheet, image, marks);
    const cited = extentOf(this.boxes.filter(box => box.page === wanted), width);
    if (this.viewer.content.clientWidth < NARROW && marks.length && !this.isFitted) this.fit(cited.width);
    this.resize();
    (marks[0] ?? this.sheet).scrollIntoView({block: marks[0] ? "center" : "start", inline: "nearest"});
    if (marks.length) this.centre(cited.middle);
  }

  drawBar() {
    const field = h("input", {type: "number", min: 1, max: this.n, value: this.page, "aria-label": t("page.number"),
      onchange: event => this.show(Number(event.target.value) || this.page)});
    const [before, after] = [this.page > 1, this.page < this.n];
    replace(this.bar, iconButton("left", t("previous"), () => this.turn(-1), {disabled: !before, id: "previous"}), field,
      h("span", {class: "dim"}, `/ ${this.n}`), iconButton("right", t("next"), () => this.turn(1), {disabled: !after, id: "next"}),
      h("span", {class: "space"}), iconButton("minus", t("smaller"), () => this.scale(-1), {disabled: this.zoom === 0}),
      iconButton("plus", t("larger"), () => this.scale(1), {disabled: this.zoom === ZOOMS.length - 1}));
  }

  turn(step) {
    const page = this.page + step;
    if (page < 1 || page > this.n) return;
    const at = document.activeElement?.id;
    this.show(page).catch(error => { if (error.name !== "AbortError") throw error; });
    if (at) document.getElementById(at)?.focus();
  }

  scale(step) {
    this.zoom = Math.min(Math.max(0, this.zoom + step), ZOOMS.length - 1);
    this.resize();
    this.drawBar();
    this.sheet.querySelector(".mark")?.scrollIntoView({block: "center", inline: "center"});
  }

  // Once, to the width of the cited lines, a share of the page's.
  fit(share) {
    this.zoom = ZOOMS.findLastIndex((zoom, at) => at === WHOLE || (at > WHOLE && at <= LARGEST_FIT && zoom * share < 0.95));
    this.isFitted = true;
    this.drawBar();
  }

  centre(share) {
    this.viewer.content.scrollLeft = this.sheet.offsetLeft + share * this.sheet.offsetWidth - this.viewer.content.clientWidth / 2;
  }

  resize() {
    this.sheet.style.width = `${ZOOMS[this.zoom] * 100}%`;
  }

  stop() {
    this.abort.abort();
    URL.revokeObjectURL(this.url);
  }
}

// The width and the middle of the boxes together, as shares of the page's width.
function extentOf(boxes, width) {
  const [left, right] = [Math.min(...boxes.map(box => box.x0)) / width, Math.max(...boxes.map(box => box.x1)) / width];
  return {width: right - left, middle: (left + right) / 2};
}

function mark(box, width, height) {
  const part = (value, whole) => `${(100 * value / whole).toFixed(3)}%`;
  return h("div", {class: "mark", style: {left: part(box.x0 - 1, width), top: part(box.y0 - 1, height),
    width: part(box.x1 - box.x0 + 2, width), height: part(box.y1 - box.y0 + 2, height)}});
}
