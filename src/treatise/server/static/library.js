// The library: its documents, uploads with progress, and which documents a question searches.

import * as api from "./api.js";
import {announce, byId, foreign, h, icon, iconButton, replace, tame} from "./dom.js";
import {counted, languageName, t} from "./i18n.js";
import {messageOf} from "./messages.js";
import {Upload, isOpen} from "./upload.js";

const PAGE = 100;

export class Library {
  constructor(element, {onOpen, onChange}) {
    Object.assign(this, {element, onOpen, onChange, entries: [], total: 0, next: null, filter: "", collection: "",
      collections: [], selected: new Map(), uploads: [], isLoaded: false, canWrite: true});
    this.catchDrops();
  }

  async load() {
    const [documents, collections, me] = await Promise.all([this.page(""), api.get("/collections").catch(ignored), api.get("/me").catch(ignored)]);
    this.canWrite = me?.scope !== "read";
    this.collections = (collections?.collections ?? []).map(one => one.name ?? one.collection ?? one).filter(Boolean);
    this.show(documents);
  }

  show(documents) {
    Object.assign(this, {entries: documents.documents, total: documents.total, next: documents.next, isLoaded: true});
    this.draw();
    this.onChange();
  }

  page(after) {
    const query = new URLSearchParams({limit: PAGE, ...(after && {after}), ...(this.filter && {title: this.filter}),
      ...(this.collection && {collection: this.collection})});
    return api.get(`/documents?${query}`);
  }

  get isEmpty() {
    return this.isLoaded && !this.total && !this.filter && !this.collection;
  }

  get scope() {
    return {documents: [...this.selected.keys()], ...(this.collection && {collection: this.collection})};
  }

  titleOf(id) {
    return this.entries.find(entry => entry.document === id)?.title ?? this.selected.get(id)?.title ?? id;
  }

  draw() {
    const isWanted = this.total > 8 || this.filter;
    replace(this.element,
      h("div", {class: "head"}, h("h2", {}, t("library")), h("span", {class: "dim"}, this.total ? String(this.total) : "")),
      this.canWrite && this.dropZone(),
      h("ul", {class: "uploads", id: "uploads"}, this.uploads.map(upload => upload.element)),
      isWanted && h("input", {type: "search", id: "filter", "aria-label": t("library.filter"), placeholder: t("library.filter"),
        value: this.filter, oninput: event => this.narrow({filter: event.target.value})}),
      this.collections.length > 0 && this.collectionChoice(),
      h("ul", {class: "documents", id: "documents"}, this.entries.map(entry => this.row(entry))),
      this.isLoaded && !this.entries.length && h("p", {class: "dim"}, t(this.filter ? "library.none" : "library.empty")),
      this.next && h("button", {type: "button", onclick: () => this.more()}, t("library.more")),
    );
  }

  dropZone() {
    const input = h("input", {type: "file", multiple: true, id: "files", hidden: true,
      onchange: event => { this.send([...event.target.files]); event.target.value = ""; }});
    return h("div", {class: "drop"}, icon("upload"), h("p", {}, t("drop")),
      h("button", {type: "button", onclick: () => input.click()}, t("choose")), input,
      h("p", {class: "dim small"}, t("formats")));
  }

  collectionChoice() {
    const options = [h("option", {value: ""}, t("library.all")), ...this.collections.map(name => h("option", {value: name,
      selected: name === this.collection}, tame(name)))];
    return h("select", {"aria-label": t("collection"), onchange: event => this.narrow({collection: event.target.value})}, options);
  }

  row(entry) {
    const title = entry.title || entry.sources[0] || entry.document;
    const check = h("input", {type: "checkbox", "aria-label": t("select", {title: tame(title)}), checked: this.selected.has(entry.document),
      onchange: event => this.select(entry, event.target.checked)});
    const open = h("button", {type: "button", class: "document", title: tame(entry.sources.join(", ")),
      onclick: event => this.onOpen(entry, event.currentTarget)}, foreign(title),
      entry.sources[0] !== title && h("span", {class: "dim small file"}, tame(entry.sources[0] ?? "")),
      h("span", {class: "dim small"}, [counted("words", entry.words), languageName(entry.language)].join(" · ")));
    return h("li", {dataset: {document: entry.document}}, check, open,
      this.canWrite && iconButton("close", t("remove", {title: tame(title)}), () => this.confirmRemoval(entry, title), {class: "icon-button quiet"}));
  }

  select(entry, isOn) {
    if (isOn) this.selected.set(entry.document, entry);
    else this.selected.delete(entry.document);
    this.onChange();
  }

  clearSelection() {
    this.selected.clear();
    this.draw();
    this.onChange();
  }

  narrow(change) {
    Object.assign(this, change);
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const at = document.activeElement?.id;
      this.show(await this.page(""));
      if (at === "filter") byId("filter")?.focus();
    }, 200);
  }

  async more() {
    const found = await this.page(this.next);
    this.show({...found, documents: [...this.entries, ...found.documents]});
  }

  confirmRemoval(entry, title) {
    const box = h("dialog", {"aria-label": t("remove", {title: tame(title)})},
      h("p", {}, t("remove.sure", {title: tame(title)})),
      h("div", {class: "row"}, h("button", {type: "button", onclick: () => box.close()}, t("cancel")),
        h("button", {type: "button", class: "danger", onclick: () => { box.close(); this.remove(entry); }}, t("yes.remove"))));
    box.addEventListener("close", () => box.remove());
    document.body.append(box);
    box.showModal();
  }

  async remove(entry) {
    try {
      await api.remove(`/documents/${entry.document}`);
      this.selected.delete(entry.document);
      await this.load();
    } catch (error) {
      announce(messageOf(error));
      this.element.append(h("p", {class: "error", role: "alert"}, messageOf(error)));
    }
  }

  catchDrops() {
    let depth = 0;
    const toggle = isOver => document.body.classList.toggle("dropping", isOver);
    const hasFiles = event => this.canWrite && event.dataTransfer?.types.includes("Files");
    addEventListener("dragenter", event => { if (hasFiles(event)) { depth += 1; toggle(true); } });
    addEventListener("dragleave", event => { if (hasFiles(event)) { depth = Math.max(0, depth - 1); toggle(depth > 0); } });
    addEventListener("dragover", event => { if (hasFiles(event)) event.preventDefault(); });
    addEventListener("drop", event => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      toggle(false);
      this.send([...event.dataTransfer.files]);
    });
  }

  async send(files) {
    if (!files.length) return;
    const upload = new Upload(files.map(file => file.name), () => this.load());
    await this.take(upload, () => upload.send(files, this.collection));
  }

  // Jobs of before the page was opened go on, and are shown.
  async resume() {
    const {jobs} = await api.get("/jobs?limit=20");
    for (const job of jobs.filter(isOpen)) {
      const upload = new Upload(job.files.map(file => file.name), () => this.load());
      this.take(upload, () => upload.resume(job));
    }
  }

  async take(upload, run) {
    this.uploads.unshift(upload);
    this.draw();
    const job = await run();
    await this.load();
    const added = job?.files.filter(file => file.status === "done") ?? [];
    if (added.length) {
      announce(t("added", {name: tame(added.map(file => file.name).join(", "))}));
      byId("question")?.focus();
    }
  }
}

const ignored = error => { if (error.status === 401) throw error; };
