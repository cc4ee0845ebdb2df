// Asking: the question, its options, and the thread of questions and answers.

import * as api from "./api.js";
import {announce, byId, foreign, h, icon, replace, tame} from "./dom.js";
import {counted, t} from "./i18n.js";
import {messageOf} from "./messages.js";
import {Turn} from "./turn.js";

const MAIN = new Set(["treatise", "treatise-reranked", "disretrieval", "disco-rag", "htsir-offline", "raptor", "flat-chunk", "bm25"]);

export class Ask {
  constructor(element, library, {onPlace}) {
    Object.assign(this, {element, library, onPlace, turns: [], recipes: [], recipe: "", budget: "", where: "", llm: true,
      conversation: null, running: null, draft: ""});
  }

  async load() {
    const found = await api.get("/recipes");
    this.recipes = found.recipes;
    this.standard = found.default;
    this.hasModel = found.has_model;
    this.draw();
  }

  draw() {
    this.draft = byId("question")?.value ?? this.draft;
    this.thread = h("div", {class: "thread", id: "thread"}, this.turns.map(turn => turn.draw()));
    this.status = h("div", {class: "scope small"});
    this.welcome = h("div", {});
    replace(this.element, this.welcome, this.thread, this.composer());
    this.update();
  }

  // What depends on the library and on whether a question runs.
  update() {
    if (!this.status) return;
    const isFirst = !this.turns.length;
    this.element.classList.toggle("first", isFirst);
    replace(this.welcome, isFirst && this.welcomeText());
    const {documents} = this.library.scope;
    const names = documents.map(id => this.library.titleOf(id));
    replace(this.status, documents.length
      ? [h("span", {title: tame(names.join(", "))}, counted("scope.some", documents.length)), " ",
        h("button", {type: "button", class: "link", onclick: () => this.library.clearSelection()}, t("scope.clear"))]
      : t("scope.all"), this.where && [" · ", foreign(this.where, {class: "where"})]);
    const input = byId("question");
    if (input) input.placeholder = t(isFirst ? "question.first" : "question.next");
    replace(this.button, this.running ? [icon("stop"), t("stop")] : t("ask"));
    this.button.classList.toggle("stop", Boolean(this.running));
    this.fresh.hidden = isFirst;
  }

  welcomeText() {
    // What a language model is asked may leave this computer.
    const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    const steps = ["step1", "step2", "step3"].map((step, at) => h("li", {class: at === (this.library.isEmpty ? 0 : 1) ? "now" : ""},
      h("strong", {}, t(step)), h("span", {}, t(`${step}.text`))));
    return [h("h2", {class: "welcome"}, t("welcome")), h("p", {class: "lead"}, t(isLocal && !this.hasModel ? "welcome.text" : "welcome.text.server")),
      h("ol", {class: "steps"}, steps)];
  }

  composer() {
    const input = h("textarea", {id: "question", rows: 2, maxlength: 40000, "aria-label": t("question"), oninput: grow,
      onkeydown: event => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        if (!this.running) this.submit();
      }});
    input.value = this.draft;
    this.button = h("button", {type: "submit", class: "primary", id: "ask"});
    this.fresh = h("button", {type: "button", id: "fresh", onclick: () => this.reset()}, t("new"));
    return h("form", {class: "composer", onsubmit: event => {
      event.preventDefault();
      if (this.running) this.running.abort();
      else this.submit();
    }}, h("div", {class: "ask"}, input, this.button), h("div", {class: "row"}, this.status, h("span", {class: "space"}),
      this.fresh, this.options()));
  }

  options() {
    const option = one => h("option", {value: one.name, selected: one.name === this.recipe}, one.name);
    const others = this.recipes.filter(one => one.name !== this.standard);
    const choices = [h("option", {value: ""}, t("recipe.default", {name: this.standard ?? ""})),
      ...others.filter(one => MAIN.has(one.name)).map(option),
      h("optgroup", {label: t("recipe.research")}, others.filter(one => !MAIN.has(one.name)).map(option))];
    return h("details", {class: "options"}, h("summary", {}, t("options")), h("div", {class: "sheet"},
      h("label", {}, t("recipe"), h("select", {id: "recipe", onchange: event => { this.recipe = event.target.value; }}, choices)),
      h("label", {}, t("where"), h("input", {type: "text", id: "where", maxlength: 4000, spellcheck: "false", value: this.where,
        placeholder: "year >= 2020", onchange: event => this.narrow(event.target.value.trim())})),
      h("label", {}, t("budget"), h("input", {type: "number", min: 50, max: 100000, step: 50, value: this.budget,
        placeholder: t("budget.default"), onchange: event => { this.budget = event.target.value; }})),
      this.hasModel && h("label", {class: "check"}, h("input", {type: "checkbox", checked: this.llm,
        onchange: event => { this.llm = event.target.checked; }}), t("llm")),
      h("p", {class: "dim small"}, t("shortcuts"))));
  }

  narrow(where) {
    this.where = where;
    this.update();
  }

  reset() {
    this.running?.abort();
    Object.assign(this, {turns: [], conversation: null, draft: ""});
    byId("question").value = "";
    this.draw();
    byId("question").focus();
  }

  async submit(question = byId("question").value.trim()) {
    if (!question || this.running) return;
    const {documents, collection} = this.library.scope;
    const body = {question, documents, ...(collection && {collection}), ...(this.where && {where: this.where}), recipe: this.recipe,
      max_words: Number(this.budget) || 0, llm: this.llm};
    const turn = new Turn(body, {onPlace: this.onPlace, onAgain: () => this.submit(question)});
    this.turns.push(turn);
    byId("question").value = "";
    byId("question").style.height = "";
    this.running = new AbortController();
    this.thread.append(turn.draw());
    this.update();
    turn.element.scrollIntoView({block: "start", behavior: "smooth"});
    try {
      await this.run(turn, body);
    } finally {
      this.running = null;
      this.update();
    }
  }

  async run(turn, body) {
    try {
      await api.stream("POST", await this.path(), {body, signal: this.running.signal, onEvent: (name, data) => turn.take(name, data)});
      if (!turn.isDone) turn.stop(t("interrupted"));
    } catch (error) {
      if (error.name === "AbortError") turn.stop(t("stopped"));
      else if (error.kind === "offline" && turn.hasAny) turn.stop(t("interrupted"));
      else turn.stop(messageOf(error));
      if (error.status === 401) throw error;
    }
    announce(turn.summary);
  }

  // A conversation, so that a follow-up is understood; a server without them answers each question alone.
  async path() {
    if (this.conversation === null) {
      try {
        const found = await api.post("/conversations", {});
        this.conversation = found.conversation ?? found.id ?? "";
      } catch (error) {
        if (error.status !== 404 && error.status !== 405) throw error;
        this.conversation = "";
      }
    }
    return this.conversation ? `/conversations/${this.conversation}/ask/stream` : "/ask/stream";
  }

  fail(error) {
    this.thread.append(h("p", {class: "error", role: "alert"}, messageOf(error)));
  }
}

function grow(event) {
  event.target.style.height = "";
  event.target.style.height = `${Math.min(event.target.scrollHeight, 200)}px`;
}
