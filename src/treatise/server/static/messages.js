// Errors in words.

import {tame} from "./dom.js";
import {t} from "./i18n.js";

export function messageOf(error) {
  if (error.kind === "offline") return t("offline");
  if (error.status === 401) return t("key.wrong");
  if (error.status === 403) return `${t("key.forbidden")} ${tame(error.message)}`;
  if (error.kind === "limit") return tame(error.message);  // of the key: not over in a moment
  if (error.status === 429 || error.status === 503) return t("busy");
  return error.status ? tame(error.message) : t("problem", {detail: tame(error.message)});
}
