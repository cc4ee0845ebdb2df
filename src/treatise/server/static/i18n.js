// The page in English and German. A text without a translation is shown in English.

import {settings} from "./settings.js";
import {de} from "./de.js";
import {en} from "./en.js";

const LANGUAGES = {en, de};

export const languages = [["en", "English"], ["de", "Deutsch"]];

export function t(key, values = {}) {
  const text = LANGUAGES[settings.language]?.[key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

export const number = value => Number(value).toLocaleString(settings.language);

export const percent = value => Number(value).toLocaleString(settings.language, {style: "percent"});

// "1 page", "3 pages": the key with ".one" if there is one.
export const counted = (key, n) => t(n === 1 ? `${key}.one` : key, {n: number(n)});

export function languageName(code) {
  try { return new Intl.DisplayNames([settings.language], {type: "language"}).of(code); } catch { return code; }
}
