let sheet;
let rated = { rater: "", scores: {} }; // scores: "item/answer/criterion" to a score

const keyOf = (item, letter, criterion) => `${item + 1}/${letter}/${criterion.name}`;
const storageName = () => `treatise-rating-${sheet.sheet}`;
const letters = (item) => Object.keys(sheet.items[item].answers);
const isRated = (item, letter) => sheet.criteria.every((criterion) => keyOf(item, letter, criterion) in rated.scores);
const isDone = (item) => letters(item).every((letter) => isRated(item, letter));
const nDone = () => sheet.items.filter((_, item) => isDone(item)).length;

/** Reads what was rated before; a browser may keep nothing for pages opened from disk. */
function load() {
  try {
    rated = { ...rated, ...JSON.parse(localStorage.getItem(storageName()) ?? "{}") };
  } catch { /* a new start */ }
}

function keep() {
  try {
    localStorage.setItem(storageName(), JSON.stringify(rated));
  } catch {
    document.getElementById("progress").textContent = "This browser keeps nothing: save the CSV before you close the page.";
    return;
  }
  progress();
}

function progress() {
  document.getElementById("progress").textContent = `${nDone()} of ${sheet.items.length} rated`;
}

/* The results. */

const quoted = (value) => (/[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

function asCsv() {
  const lines = [["sheet", "rater", "item", "answer", "criterion", "score"]];
  sheet.items.forEach((_, item) => letters(item).forEach((letter) => sheet.criteria.forEach((criterion) => {
    const score = rated.scores[keyOf(item, letter, criterion)];
    if (score !== undefined) lines.push([sheet.sheet, rated.rater, item + 1, letter, criterion.name, score]);
  })));
  return lines.map((line) => line.map(quoted).join(",") + "\r\n").join("");
}

/** Hands the results over as a file; without a name, asks for one first: raters are told apart by it. */
function save() {
  if (!rated.rater.trim()) {
    location.hash = "#/";
    return;
  }
  const url = URL.createObjectURL(new Blob([asCsv()], { type: "text/csv" }));
  const name = rated.rater.replace(/[^\p{L}\p{N}_-]+/gu, "-") || "ratings";
  el("a", { href: url, download: `${name}-${sheet.sheet}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/* The views. */

function intro() {
  const begin = el("button", { class: "primary", onclick: () => { location.hash = `#/item/${firstOpen() + 1}`; } }, nDone() ? "Go on" : "Begin");
  const named = () => { begin.disabled = !rated.rater.trim(); };
  const name = el("input", { value: rated.rater, placeholder: "Your name or initials", size: 28, autofocus: true, oninput: (event) => { rated.rater = event.target.value; keep(); named(); } });
  named();
  return el("div", { class: "intro" },
    el("h1", {}, `Rate ${sheet.items.length} questions`),
    el("section", { class: "card" },
      el("p", {}, sheet.instructions),
      el("dl", {}, sheet.criteria.map((criterion) => [
        el("dt", {}, criterion.name),
        el("dd", {}, criterion.question, el("div", { class: "faint small" }, criterion.scale.map(([score, word]) => `${score} ${word}`).join(" · "))),
      ]))),
    el("section", { class: "card" },
      el("div", { class: "bar" }, name, begin, saveButton()),
      el("p", { class: "faint small" }, "What you rate is kept in this browser as you go. At the end, save the results and send the file back.")));
}

const saveButton = () => el("button", { onclick: save, disabled: !Object.keys(rated.scores).length }, "Save results (CSV)");
const firstOpen = () => Math.max(0, sheet.items.findIndex((_, item) => !isDone(item)));

function itemView(item) {
  const { question, source, answers } = sheet.items[item];
  const last = item === sheet.items.length - 1;
  const bar = el("div");
  const draw = () => bar.replaceChildren(
    el("div", { class: "meter" }, el("i", { style: `width:${100 * nDone() / sheet.items.length}%` })),
    el("div", { class: "dots" }, sheet.items.map((_, i) => el("a", { href: `#/item/${i + 1}`, class: isDone(i) ? "done" : null, "aria-current": i === item ? "true" : null }, String(i + 1)))),
    el("div", { class: "bar" },
      el("button", { disabled: item === 0, onclick: () => { location.hash = `#/item/${item}`; } }, "← Previous"),
      el("button", { class: isDone(item) && !last ? "primary" : null, disabled: last, onclick: () => { location.hash = `#/item/${item + 2}`; } }, "Next →"),
      el("button", { onclick: () => { location.hash = "#/"; } }, "Instructions"),
      saveButton()));
  draw();
  return [
    bar,
    el("h1", {}, question),
    el("div", { class: source ? "rating" : "rating alone" },
      source ? el("section", { class: "card source" }, el("h3", {}, "Source"), el("div", { class: "text" }, source)) : null,
      el("div", {}, Object.entries(answers).map(([letter, text]) => answerCard(item, letter, text, draw)))),
  ];
}

function answerCard(item, letter, text, changed) {
  const card = el("section", { class: "card answer" },
    el("span", { class: "letter" }, letter), el("div", { class: "text" }, text),
    sheet.criteria.map((criterion) => el("fieldset", {},
      el("legend", {}, el("b", {}, criterion.name), el("div", { class: "faint small" }, criterion.question)),
      el("div", { class: "steps" }, criterion.scale.map(([score, word]) => el("label", {},
        el("input", {
          type: "radio", name: keyOf(item, letter, criterion), value: score,
          checked: rated.scores[keyOf(item, letter, criterion)] === score,
          onchange: () => {
            rated.scores[keyOf(item, letter, criterion)] = score;
            keep();
            card.classList.toggle("done", isRated(item, letter));
            changed();
          },
        }), `${score} ${word}`))))));
  card.classList.toggle("done", isRated(item, letter));
  return card;
}

function show() {
  const number = Number(location.hash.match(/^#\/item\/(\d+)$/)?.[1]);
  const content = number >= 1 && number <= sheet.items.length ? itemView(number - 1) : intro();
  document.getElementById("view").replaceChildren(...[content].flat());
  scrollTo(0, 0);
}

async function start() {
  document.querySelector("header").append(themeButton());
  try {
    sheet = await unpack("sheet");
    load();
    progress();
    addEventListener("hashchange", show);
    show();
  } catch (error) {
    document.getElementById("view").replaceChildren(el("p", {}, `This browser cannot show the sheet (${error}). A current Chrome, Edge, Firefox or Safari can.`));
  }
}

if (typeof document !== "undefined") start();
