const COLOURS = ["#8a93a0", "#1f78d1", "#e07b00", "#2e9e5b", "#b24fb5", "#d1433f", "#00a0a8", "#7a6a4f"];
const state = { sort: ["difference", -1], outcome: "all", kind: "all", words: "", order: null, other: false };
let index;

const two = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "±") + Math.abs(value).toFixed(2);
const p = (value) => (value < 0.001 ? "p < .001" : `p ${value.toFixed(3).replace(/^0/, "")}`);
const recipes = () => [...new Set(index.cells.map((cell) => cell.recipe))];
const budgets = () => [...new Set(index.cells.map((cell) => cell.budget))].sort((a, b) => a - b);
const cellOf = (recipe, budget) => index.cells.find((cell) => cell.recipe === recipe && cell.budget === budget);
const baseOf = (cell) => (cell.recipe === index.baseline ? null : cellOf(index.baseline, cell.budget));
const colour = (recipe) => COLOURS[recipes().indexOf(recipe) % COLOURS.length];
const route = (...parts) => "#/" + parts.map((part) => encodeURIComponent(part)).join("/");
const questionRoute = (cell, metric, id) => route("cell", cell.recipe, cell.budget, metric, "question", id);

/* The figures. */

function overview() {
  const record = index.records[0];
  return [
    el("h1", {}, `${index.dataset}: evidence for ${index.questions.length.toLocaleString("en")} questions`),
    el("p", { class: "faint" },
      `${index.documents.length.toLocaleString("en")} documents of ${record.data}, measured ${record.date.slice(0, 10)}. ` +
      "Percent, with 95 % intervals over documents; Δ is the paired difference to ", el("b", {}, index.baseline),
      ", its p by permutation of documents, Holm-corrected. Click a figure to see its questions."),
    index.metrics.map((metric) => el("section", { class: "card" },
      el("h2", {}, metric),
      el("div", { class: "figures" }, chart(metric), el("div", { class: "scroll" }, figures(metric))))),
    el("details", { class: "card" }, el("summary", {}, "How this was measured"), index.records.map(recordList)),
  ];
}

function figures(metric) {
  return el("table", {},
    el("thead", {}, el("tr", {}, el("th", {}, "Recipe"),
      budgets().map((budget) => el("th", { class: "number" }, `${budget} words`)))),
    el("tbody", {}, recipes().map((recipe) => el("tr", {},
      el("td", {}, el("span", { class: "key", style: `background:${colour(recipe)}` }), recipe,
        recipe === index.baseline ? el("span", { class: "faint small" }, " baseline") : null),
      budgets().map((budget) => el("td", { class: "number" }, figure(cellOf(recipe, budget), metric)))))));
}

function figure(cell, metric) {
  const score = cell?.scores[metric];
  if (!score) return "–";
  return [
    el("a", { class: "score", href: route("cell", cell.recipe, cell.budget, metric) }, two(score.mean)),
    el("span", { class: "faint small" }, `[${two(score.low)}, ${two(score.high)}]`),
    cell.differences[metric] ? chip(cell.differences[metric]) : null,
  ];
}

function chip(difference) {
  const sure = difference.p_holm < 0.05 ? (difference.mean > 0 ? "good" : "bad") : "none";
  const title = `[${signed(difference.low)}, ${signed(difference.high)}]; ${tests(difference)}`;
  return el("span", { class: `chip ${sure}`, title }, `Δ ${signed(difference.mean)}, ${p(difference.p_holm)}`);
}

function tests(difference) {
  return `Holm-corrected: permutation ${p(difference.p_holm)}, paired bootstrap ${p(difference.p_bootstrap_holm)}, ` +
    `paired t-test ${p(difference.p_t_holm)}`;
}

/** Means over budgets with their intervals. */
function chart(metric) {
  const [width, height, left, right, top, bottom] = [420, 260, 44, 14, 12, 34];
  const cells = index.cells.filter((cell) => cell.scores[metric]);
  const low = Math.min(...cells.map((cell) => cell.scores[metric].low));
  const high = Math.max(...cells.map((cell) => cell.scores[metric].high));
  const pad = Math.max((high - low) * 0.06, 0.5);
  const span = high - low + 2 * pad;
  const y = (value) => top + (height - top - bottom) * (1 - (value - low + pad) / span);
  const places = budgets();
  const x = (budget) => left + (width - left - right) * (places.indexOf(budget) + 0.5) / places.length;
  const step = [0.5, 1, 2, 5, 10, 20, 50].find((size) => span / size <= 7) ?? 100;
  const ticks = [];
  for (let at = Math.ceil((low - pad) / step) * step; at <= high + pad; at += step) ticks.push(at);
  return el("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${metric} over budgets` },
    ticks.map((at) => [
      el("line", { class: "axis", x1: left, x2: width - right, y1: y(at), y2: y(at) }),
      el("text", { x: left - 6, y: y(at) + 4, "text-anchor": "end" }, String(at)),
    ]),
    places.map((budget) => el("text", { x: x(budget), y: height - 14, "text-anchor": "middle" }, `${budget} words`)),
    recipes().map((recipe, i) => {
      const shift = (i - (recipes().length - 1) / 2) * Math.min(9, 70 / recipes().length);
      const points = cells.filter((cell) => cell.recipe === recipe).sort((a, b) => a.budget - b.budget)
        .map((cell) => ({ at: x(cell.budget) + shift, ...cell.scores[metric] }));
      const stroke = colour(recipe);
      return el("g", { stroke, fill: stroke },
        el("polyline", { points: points.map((one) => `${one.at},${y(one.mean)}`).join(" "), fill: "none", "stroke-width": 2 }),
        points.map((one) => [
          el("line", { x1: one.at, x2: one.at, y1: y(one.low), y2: y(one.high), "stroke-width": 1.5, opacity: 0.6 }),
          el("circle", { cx: one.at, cy: y(one.mean), r: 3.5 }),
        ]));
    }));
}

function recordList(record) {
  const shown = Object.entries(record).filter(([key]) => key !== "recipes");
  const text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return [
    el("h3", {}, record.date),
    el("dl", { class: "record small" },
      shown.map(([key, value]) => [el("dt", {}, key), el("dd", {}, text(value) || "–")]),
      Object.entries(record.recipes).map(([name, recipe]) => [el("dt", {}, name), el("dd", {}, JSON.stringify(recipe))])),
  ];
}

/* The questions of a figure. */

function rowsOf(cell, metric) {
  const base = baseOf(cell);
  return index.questions.map((question, i) => {
    const score = cell.values[metric]?.[i] ?? null;
    const baseline = base?.values[metric]?.[i] ?? null;
    const difference = score === null || baseline === null ? null : score - baseline;
    const outcome = difference === null ? "none" : difference > 0.005 ? "win" : difference < -0.005 ? "loss" : "tie";
    return { i, question, score, baseline, difference, outcome, kind: question.references[0]?.kind ?? "" };
  });
}

const SORTS = {
  question: (row) => row.question.text.toLowerCase(),
  document: (row) => index.documents[row.question.document].toLowerCase(),
  kind: (row) => row.kind,
  score: (row) => row.score,
  baseline: (row) => row.baseline,
  difference: (row) => row.difference,
};

/** The rows that pass the filters, as they are sorted; nothing is always last. */
function chosen(rows) {
  const [name, direction] = state.sort;
  const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
  const passes = (row) =>
    (state.outcome === "all" || (state.outcome === "zero" ? row.score === 0 : row.outcome === state.outcome)) &&
    (state.kind === "all" || row.kind === state.kind) &&
    words.every((word) => `${row.question.text} ${index.documents[row.question.document]} ${row.question.id}`.toLowerCase().includes(word));
  const keyed = rows.filter(passes).map((row) => [SORTS[name](row), row]);
  const compare = (a, b) => (a === b ? 0 : a === null ? 1 : b === null ? -1 : (a < b ? -1 : 1) * direction);
  return keyed.sort(([a, one], [b, two]) => compare(a, b) || one.i - two.i).map(([, row]) => row);
}

function questions(cell, metric) {
  const rows = rowsOf(cell, metric);
  const count = (outcome) => rows.filter((row) => row.outcome === outcome).length;
  const difference = cell.differences[metric];
  const score = cell.scores[metric];
  const body = el("tbody");
  const shown = el("span", { class: "faint small" });
  const heads = {};
  const draw = () => {
    const list = chosen(rows);
    state.order = list.map((row) => row.question.id);
    shown.textContent = `${list.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} questions`;
    for (const [name, head] of Object.entries(heads)) {
      const [sorted, direction] = state.sort;
      head.setAttribute("aria-sort", sorted === name ? (direction > 0 ? "ascending" : "descending") : "none");
      head.querySelector("i").textContent = sorted === name ? (direction > 0 ? " ↑" : " ↓") : "";
    }
    body.replaceChildren(...list.map((row) => line(row)));
  };
  const line = (row) => {
    const href = questionRoute(cell, metric, row.question.id);
    return el("tr", { onclick: () => { location.hash = href; } },
      el("td", {}, el("a", { href }, row.question.text)),
      el("td", { class: "small faint" }, index.documents[row.question.document]),
      el("td", { class: "small faint" }, row.kind),
      el("td", { class: "number" }, row.score === null ? null : el("span", { class: "gauge" }, el("i", { style: `width:${row.score}%` })), two(row.score)),
      baseOf(cell) ? [
        el("td", { class: "number" }, two(row.baseline)),
        el("td", { class: `number ${{ win: "good", loss: "bad" }[row.outcome] ?? "faint"}` }, row.difference === null ? "–" : signed(row.difference)),
      ] : null);
  };
  const head = (name, label, number) => (heads[name] = el("th", { class: number ? "number" : "" }, el("button", {
    onclick: () => {
      state.sort = [name, state.sort[0] === name ? -state.sort[1] : number ? -1 : 1];
      draw();
    },
  }, label, el("i"))));
  if (!baseOf(cell) && ["difference", "baseline"].includes(state.sort[0])) state.sort = ["score", 1];
  const filters = el("div", { class: "bar" },
    el("input", { type: "search", placeholder: "Words of a question, document or id", size: 34, value: state.words, oninput: (event) => { state.words = event.target.value; draw(); } }),
    baseOf(cell) ? choice([["all", "All"], ["win", `Wins ${count("win")}`], ["tie", `Ties ${count("tie")}`], ["loss", `Losses ${count("loss")}`], ["zero", "Zero"]], "outcome", draw)
      : choice([["all", "All"], ["zero", "Zero"]], "outcome", draw),
    el("select", { "aria-label": "Kind of answer", onchange: (event) => { state.kind = event.target.value; draw(); } },
      ["all", ...new Set(rows.map((row) => row.kind))].map((kind) => el("option", { value: kind, selected: kind === state.kind }, kind === "all" ? "All kinds" : kind))),
    shown);
  const table = el("table", { class: "list" },
    el("thead", {}, el("tr", {}, head("question", "Question"), head("document", "Document"), head("kind", "Answer"),
      head("score", metric, true),
      baseOf(cell) ? [head("baseline", index.baseline, true), head("difference", "Δ", true)] : null)),
    body);
  draw();
  return [
    el("h1", {}, `${cell.recipe}, ${cell.budget} words`),
    switches(cell, metric, (other, name) => route("cell", other.recipe, other.budget, name)),
    el("section", { class: "card" },
      el("div", { class: "facts" },
        fact(metric, score && two(score.mean), score && `[${two(score.low)}, ${two(score.high)}], n ${score.n.toLocaleString("en")}`),
        difference ? fact(`Δ to ${index.baseline}`, signed(difference.mean), `[${signed(difference.low)}, ${signed(difference.high)}]`) : null,
        difference ? fact("Significance, Holm-corrected", p(difference.p_holm), `permutation; bootstrap ${p(difference.p_bootstrap_holm)}; t-test ${p(difference.p_t_holm)}`) : null,
        fact("Words a context", cell.words.toFixed(1), `of ${cell.budget}`)),
      baseOf(cell) ? outcomes(count("win"), count("tie"), count("loss")) : null),
    el("section", { class: "card" }, filters, table),
  ];
}

const fact = (name, value, note) => el("div", {}, el("span", { class: "faint small" }, name), el("b", {}, value ?? "–"), el("span", { class: "faint small" }, note ?? ""));

function outcomes(wins, ties, losses) {
  const share = (n) => `width:${100 * n / Math.max(1, wins + ties + losses)}%`;
  return [
    el("div", { class: "split", role: "img", "aria-label": `${wins} wins, ${ties} ties, ${losses} losses` },
      el("i", { class: "win", style: share(wins) }), el("i", { style: share(ties) }), el("i", { class: "loss", style: share(losses) })),
    el("div", { class: "small faint" }, el("span", { class: "good" }, `${wins} better`), ` · ${ties} equal · `,
      el("span", { class: "bad" }, `${losses} worse`), ` than ${index.baseline}`),
  ];
}

/** Buttons of which one is pressed; pressing one sets ``state[name]``. */
function choice(options, name, draw) {
  if (!options.some(([value]) => value === state[name])) state[name] = options[0][0];
  const buttons = options.map(([value, label]) => el("button", { "aria-pressed": String(value === state[name]), onclick: () => press(value) }, label));
  const press = (value) => {
    state[name] = value;
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(options[i][0] === value)));
    draw();
  };
  return el("span", { class: "group" }, buttons);
}

/** Choices of recipe, budget and metric that lead to ``to(cell, metric)``. */
function switches(cell, metric, to) {
  const picker = (label, values, current, target) => el("label", { class: "small faint" }, `${label} `,
    el("select", { onchange: (event) => { location.hash = target(event.target.value); } },
      values.map((value) => el("option", { value, selected: value === current }, String(value)))));
  const near = (recipe, budget) => cellOf(recipe, budget) ?? index.cells.find((one) => one.recipe === recipe);
  return el("div", { class: "bar" },
    picker("Recipe", recipes(), cell.recipe, (value) => to(near(value, cell.budget), metric)),
    picker("Words", budgets().filter((budget) => cellOf(cell.recipe, budget)), cell.budget, (value) => to(cellOf(cell.recipe, Number(value)), metric)),
    picker("Metric", index.metrics, metric, (value) => to(cell, value)));
}

/* One question. */

async function questionView(cell, metric, id) {
  const i = index.questions.findIndex((question) => question.id === id);
  if (i < 0) return [el("p", {}, `There is no question ${id} here.`)];
  const question = index.questions[i];
  const retrieved = cell.retrieved[i];
  const text = retrieved && (await unpack("texts"))[question.document];
  const order = state.order?.includes(id) ? state.order : index.questions.map((one) => one.id);
  const at = order.indexOf(id);
  const step = (to, label) => el("button", { disabled: !order[to], onclick: () => { location.hash = questionRoute(cell, metric, order[to]); } }, label);
  return [
    el("div", { class: "bar" }, step(at - 1, "← Previous"), step(at + 1, "Next →"),
      el("span", { class: "faint small" }, `${at + 1} of ${order.length}`)),
    el("h1", {}, question.text),
    el("p", { class: "faint" }, index.documents[question.document], " · ", id),
    el("section", { class: "card answers" },
      el("div", {},
        el("h3", {}, "Answers"),
        el("ul", {}, question.references.map((reference) => el("li", {}, reference.answer || "–", el("span", { class: "faint small" }, ` ${reference.kind}`)))),
        question.options.length ? [el("h3", {}, "Options"), el("ol", {}, question.options.map((option) => el("li", {}, option)))] : null),
      el("div", {}, el("h3", {}, metric), matrix(cell, metric, i))),
    text ? pages(cell, question, retrieved, text, i)
      : el("p", { class: "card" }, "The text of this document is not in the report: make it with more documents."),
  ];
}

function matrix(cell, metric, i) {
  return el("table", { class: "matrix" },
    el("tr", {}, el("th"), budgets().map((budget) => el("th", { class: "number" }, `${budget} words`))),
    recipes().map((recipe) => el("tr", {}, el("th", {}, recipe), budgets().map((budget) => {
      const one = cellOf(recipe, budget);
      return el("td", { class: one === cell ? "number here" : "number" },
        one ? el("a", { href: questionRoute(one, metric, index.questions[i].id) }, two(one.values[metric]?.[i])) : "–");
    }))));
}

/** Where the text changes its look: ``[start, end, names]`` pieces that tile ``[start, end)``. */
function segments(start, end, layers) {
  const edges = new Set([start, end]);
  for (const spans of Object.values(layers)) {
    for (const edge of spans.flat()) if (edge > start && edge < end) edges.add(edge);
  }
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((from, k) => {
    const to = sorted[k + 1];
    const names = Object.keys(layers).filter((name) => layers[name].some(([a, b]) => a < to && b > from));
    return [from, to, names];
  });
}

const marked = (text, start, end, layers) => segments(start, end, layers).map(([from, to, names]) =>
  el("span", { class: names.join(" ") || null, "data-start": from }, text.slice(from, to)));

function pages(cell, question, retrieved, text, i) {
  const gold = question.references.flatMap((reference) => reference.spans);
  const base = baseOf(cell)?.retrieved[i];
  const layers = { heading: text.headings, found: retrieved.spans, gold };
  const panel = el("div", { class: "panel text", id: "document" });
  const draw = () => panel.replaceChildren(...marked(text.text, 0, text.text.length, state.other && base ? { ...layers, other: base.spans } : layers));
  const show = (start) => {
    const target = [...panel.querySelectorAll("[data-start]")].reduce((best, one) => (Number(one.dataset.start) <= start ? one : best));
    panel.scrollTop += target.getBoundingClientRect().top - panel.getBoundingClientRect().top - panel.clientHeight / 3;
  };
  const percent = (offset) => 100 * offset / Math.max(1, text.text.length);
  const tick = (name) => ([start, end]) => el("i", { class: name, style: `left:${percent(start)}%;width:${percent(end - start)}%`, title: text.text.slice(start, end), onclick: () => show(start) });
  draw();
  requestAnimationFrame(() => { const first = [...gold, ...retrieved.spans][0]; if (first) show(first[0]); });
  const inPieces = { gold };
  const given = "context" in retrieved
    ? el("div", { class: "text" }, retrieved.context)
    : retrieved.spans.map(([start, end]) => el("div", { class: "piece text", title: "Show in the document", onclick: () => show(start) }, marked(text.text, start, end, inPieces)));
  const goldPieces = question.references.flatMap((reference) => [
    ...reference.spans.map(([start, end]) => el("div", { class: "piece of-gold text", title: "Show in the document", onclick: () => show(start) }, marked(text.text, start, end, { found: retrieved.spans }))),
    ...reference.lost.map((piece) => el("div", { class: "piece of-gold text" }, piece, el("span", { class: "faint small" }, " (not found in the text)"))),
  ]);
  const n = ("context" in retrieved ? retrieved.context : retrieved.spans.map(([a, b]) => text.text.slice(a, b)).join(" ")).split(/\s+/).filter(Boolean).length;
  return el("div", { class: "pages" },
    el("section", { class: "card" },
      el("h3", {}, "The document"),
      el("div", { class: "legend small" },
        el("span", {}, el("span", { class: "found" }, "retrieved"), ` by ${cell.recipe}`),
        el("span", {}, el("span", { class: "gold" }, "gold"), " marked by annotators"),
        el("span", {}, el("span", { class: "found gold" }, "both")),
        base ? el("label", { class: "screen" }, el("input", { type: "checkbox", checked: state.other, onchange: (event) => { state.other = event.target.checked; draw(); } }), " ", el("span", { class: "other" }, `what ${index.baseline} retrieved`)) : null),
      el("div", { class: "map screen", title: "Above: retrieved. Below: gold." }, retrieved.spans.map(tick("found")), gold.map(tick("gold"))),
      panel),
    el("section", { class: "card side" },
      el("h3", {}, "Gold evidence"),
      goldPieces.length ? goldPieces : el("p", { class: "faint" }, "Nothing is marked."),
      el("h3", {}, `The context, as the reader gets it: ${n} of ${cell.budget} words`),
      given.length === 0 ? el("p", { class: "faint" }, "Nothing was retrieved.") : given));
}

/* Which of them is shown. */

async function show() {
  const parts = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const path = [el("a", { href: "#/" }, "Report")];
  const cell = parts[0] === "cell" ? cellOf(parts[1], Number(parts[2])) : null;
  let content;
  if (!cell) content = overview();
  else {
    const metric = index.metrics.includes(parts[3]) ? parts[3] : index.metrics[0];
    path.push(" › ", el("a", { href: route("cell", cell.recipe, cell.budget, metric) }, `${cell.recipe}, ${cell.budget} words`));
    if (parts[4] === "question") {
      path.push(" › question");
      content = await questionView(cell, metric, parts[5]);
    } else content = questions(cell, metric);
  }
  document.getElementById("path").replaceChildren(...path);
  document.getElementById("view").replaceChildren(...[content].flat(Infinity).filter(Boolean));
  scrollTo(0, 0);
}

async function start() {
  document.querySelector("header").append(themeButton());
  try {
    index = await unpack("index");
    addEventListener("hashchange", show);
    await show();
  } catch (error) {
    document.getElementById("view").replaceChildren(el("p", {}, `This browser cannot show the report (${error}). A current Chrome, Edge, Firefox or Safari can.`));
  }
}

if (typeof document !== "undefined") start();
