// Asks for the key of a server that needs one. The key stays in this tab.

import * as api from "./api.js";
import {h} from "./dom.js";
import {t} from "./i18n.js";
import {settings} from "./settings.js";

let pending = null;

export function askForKey(isWrong) {
  pending ??= dialog(isWrong).finally(() => { pending = null; });
  return pending;
}

function dialog(isWrong) {
  return new Promise(resolve => {
    const input = h("input", {type: "password", id: "key", autocomplete: "off", spellcheck: "false", required: true});
    const error = h("p", {class: "error", role: "alert"}, isWrong ? t("key.wrong") : "");
    const form = h("form", {method: "dialog"}, h("h2", {id: "key-title"}, t("key.needed")), h("p", {}, t("key.text")),
      h("label", {for: "key"}, t("key")), input, error, h("button", {type: "submit", class: "primary"}, t("key.use")));
    const box = h("dialog", {"aria-labelledby": "key-title"}, form);
    form.addEventListener("submit", async event => {
      event.preventDefault();
      settings.key = input.value.trim();
      try {
        await api.get("/me");
      } catch (problem) {
        if (problem.status === 401) {
          settings.key = "";
          error.textContent = t("key.wrong");
          input.select();
          return;
        }
      }
      box.close();
      box.remove();
      resolve();
    });
    box.addEventListener("cancel", event => event.preventDefault());
    document.body.append(box);
    box.showModal();
    input.focus();
  });
}
