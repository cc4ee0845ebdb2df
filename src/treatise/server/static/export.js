// An answer with its citations for other programs: Markdown, references, print.

import {h, save, tame} from "./dom.js";
import {t} from "./i18n.js";

export function exportBar(answer) {
  const copy = h("button", {type: "button", onclick: async () => {
    try { await navigator.clipboard.writeText(markdownOf(answer)); } catch { return save("answer.md", "text/markdown", markdownOf(answer)); }
    copy.textContent = t("copied");
    setTimeout(() => { copy.textContent = t("copy"); }, 2000);
  }}, t("copy"));
  return h("details", {class: "export"}, h("summary", {}, t("export")), h("div", {class: "sheet"}, copy,
    h("button", {type: "button", onclick: () => save("answer.md", "text/markdown", markdownOf(answer))}, t("markdown")),
    h("button", {type: "button", onclick: () => save("answer.bib", "application/x-bibtex", bibtexOf(answer))}, t("references")),
    h("button", {type: "button", onclick: () => window.print()}, t("print"))));
}

export function markdownOf(answer) {
  const lines = [`# ${inline(answer.question)}`, ""];
  if (answer.direct?.text) lines.push(`**${inline(answer.direct.text)}**`, "");
  if (!answer.found) lines.push(`*${t("notfound")}*`, "");
  for (const one of answer.statements) {
    lines.push(`${inline(one.text)}${one.citations.map(at => `[^${at + 1}]`).join("")}`, "");
  }
  answer.citations.forEach((one, at) => {
    const place = [one.page && t("page", {n: one.page}), one.section, t("offsets", one)].filter(Boolean);
    lines.push(`[^${at + 1}]: “${inline(one.quote)}” ${inline(one.source)}, ${inline(place.join(", "))}`);
  });
  return `${lines.join("\n").trim()}\n`;
}

export function bibtexOf(answer) {
  return answer.citations.map((one, at) => {
    const {title, author, date} = answer.documents?.find(document => document.document === one.document) ?? {};
    const fields = {
      title: title || one.source,
      ...(author?.length && {author: author.join(" and ")}),
      ...(date && {year: date.slice(0, 4)}),
      howpublished: one.source,
      ...(one.page && {pages: one.page}),
      ...(one.section && {note: one.section}),
      annote: `${shortQuote(one.quote)} (${t("offsets", one)})`,
    };
    const body = Object.entries(fields).map(([name, value]) => `  ${name} = {${bibtexText(value)}}`).join(",\n");
    return `@misc{${one.document}-${at + 1},\n${body}\n}\n`;
  }).join("\n");
}

const shortQuote = text => text.replace(/\s+/g, " ").trim();

// On one line, and without characters that Markdown or HTML would read as markup.
const inline = text => tame(text).replace(/\s+/g, " ").trim().replace(/[\\`*_[\]<>#|]/g, "\\$&");

const BIBTEX = {"\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"};

const bibtexText = value => tame(String(value)).replace(/[\\{}~^&%$#_]/g, found => BIBTEX[found] ?? `\\${found}`);
