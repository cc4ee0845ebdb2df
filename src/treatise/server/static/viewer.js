// A document at a place: the picture of a PDF page or the text, its outline, and the structure of a section.

import * as api from "./api.js";
import {announce, foreign, h, iconButton, replace, tame} from "./dom.js";
import {counted, t} from "./i18n.js";
import {messageOf} from "./messages.js";
import {PageView} from "./pageview.js";
import {TextView} from "./textview.js";
import {TreeView} from "./treeview.js";

const BARE = 12;  // characters of marks and line breaks beside a heading

export class Viewer {
  constructor(element) {
    Object.assign(this, {element, place: null, outline: null, tab: "page", opener: null, onToggle: () => {}, cache: new Map()});
    element.setAttribute("aria-labelledby", "viewer-title");
    element.tabIndex = -1;
    element.addEventListener("keydown", event => this.key(event));
    addEventListener("popstate", event => (event.state?.place ? this.show(event.state.place) : this.hide()));
  }

  // Opens a document at a citation; the browser's back button closes it again.
  open(place, opener) {
    this.opener = opener ?? this.opener;
    const plain = {document: place.document, start: place.start, end: place.end, page: place.page ?? null};
    if (history.state?.place) history.replaceState({place: plain}, "");
    else history.pushState({place: plain}, "");
    return this.show(plain);
  }

  close() {
    if (this.element.hidden) return;
    if (history.state?.place) history.back();
    else this.hide();
  }

  hide() {
    if (this.element.hidden) return;
    this.abort?.abort();
    this.element.hidden = true;
    this.place = null;
    this.onToggle(false);
    this.opener?.isConnected && this.opener.focus();
  }

  async show(place) {
    this.abort?.abort();
    this.abort = new AbortController();
    const {signal} = this.abort;
    const isNew = this.place?.document !== place.document;
    this.place = place;
    this.element.hidden = false;
    this.onToggle(true);
    try {
      if (isNew || !this.outline) this.outline = await this.outlineOf(place.document, signal);
      if (isNew) this.tab = this.hasPictures ? "page" : "text";
      if (this.tab === "tree") this.tab = this.hasPictures ? "page" : "text";
      this.draw();
      this.element.focus({preventScroll: true});
    } catch (error) {
      if (error.name !== "AbortError") replace(this.element, this.bar(), h("p", {class: "error", role: "alert"}, messageOf(error)));
    }
  }

  async outlineOf(document, signal) {
    if (!this.cache.has(document)) {
      const [outline, pages] = await Promise.all([api.get(`/documents/${document}`, {signal}), api.get(`/documents/${document}/pages`, {signal})]);
      this.cache.set(document, {...outline, spans: pages.pages});
    }
    return this.cache.get(document);
  }

  get hasPictures() {
    return this.outline.spans.length > 0 && /\.pdf$/i.test(this.outline.source);
  }

  pageAt(offset) {
    return this.outline.spans.findLast(one => one.start <= offset)?.page ?? 1;
  }

  draw() {
    if (!this.place || !this.outline) return;
    const {outline} = this;
    this.content = h("div", {class: "content", id: "content", tabindex: "0", role: "region", "aria-label": tame(outline.title)});
    replace(this.element, this.bar(), h("div", {class: "body"}, this.outlineList(), this.content));
    this.element.querySelector(".outline [aria-current]")?.scrollIntoView({block: "nearest"});
    this.drawTab();
  }

  bar() {
    const tabs = this.outline && [...(this.hasPictures ? ["page"] : []), "text", "tree"].map(tab => h("button", {type: "button", class: "tab",
      "aria-pressed": String(tab === this.tab), dataset: {tab}, onclick: () => this.select(tab)}, t(`tab.${tab}`)));
    const size = this.outline && [this.outline.pages ? counted("pages", this.outline.pages) : counted("words", this.outline.words)];
    return h("header", {class: "bar"},
      h("div", {class: "name"}, h("h2", {id: "viewer-title"}, foreign(this.outline?.title || this.outline?.source || "")),
        this.outline && h("p", {class: "dim small"}, foreign(this.outline.source), " · ", size)),
      h("div", {class: "tabs"}, tabs), iconButton("close", t("close"), () => this.close(), {id: "close"}));
  }

  outlineList() {
    const sections = this.outline.outline.filter(one => one.title);
    const current = this.sectionAt(this.place.start);
    const items = sections.map(one => h("li", {style: {paddingInlineStart: `${Math.min(one.level - 1, 4) * 0.8}rem`}},
      h("button", {type: "button", "aria-current": one === current ? "true" : null, onclick: () => this.go(one)}, foreign(one.title))));
    const isOpen = this.element.clientWidth > 700;
    return h("details", {class: "outline", open: isOpen}, h("summary", {}, t("outline")),
      h("nav", {"aria-label": t("outline")}, items.length ? h("ul", {}, items) : h("p", {class: "dim small"}, t("outline.none"))));
  }

  sectionAt(offset) {
    return this.outline.outline.findLast(one => one.start <= offset);
  }

  // The section around an offset, up to the next heading; with its subsections if it is a heading alone.
  sectionSpan(offset) {
    const section = this.sectionAt(offset);
    const later = this.outline.outline.filter(one => one.start > offset);
    const isBare = section && later[0]?.level > section.level && later[0].start - section.start < section.title.length + BARE;
    const next = isBare ? later.find(one => one.level <= section.level) : later[0];
    return {title: section?.title || t("beginning"), start: section?.start ?? 0, end: next?.start ?? this.outline.characters};
  }

  go(section) {
    const end = Math.min(section.start + section.title.length, this.outline.characters);
    this.place = {document: this.outline.document, start: section.start, end, page: null};
    history.replaceState({place: this.place}, "");
    this.draw();
  }

  select(tab) {
    this.tab = tab;
    this.draw();
    this.element.querySelector(`[data-tab=${tab}]`)?.focus();
  }

  async drawTab(notice = "") {
    this.view?.stop();
    const Kind = {page: PageView, text: TextView, tree: TreeView}[this.tab];
    this.view = new Kind(this);
    if (notice) this.content.append(h("p", {class: "dim small"}, notice));
    try {
      await this.view.draw();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (this.tab === "page") return this.fallBack(t("nopicture", {detail: messageOf(error)}));
      this.content.append(h("p", {class: "error", role: "alert"}, messageOf(error)));
    }
  }

  // Shows the text where the picture cannot show the place.
  fallBack(notice) {
    this.tab = "text";
    this.draw();
    this.content.prepend(h("p", {class: "dim small notice"}, notice));
    announce(notice);
  }

  key(event) {
    if (event.target.closest("input, select, textarea, summary") || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = {ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1}[event.key];
    if (!step || !this.view?.turn) return;
    event.preventDefault();
    this.view.turn(step);
  }
}
