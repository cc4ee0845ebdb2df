// One upload: the files on their way to the server, then the job that reads them.

import * as api from "./api.js";
import {foreign, h, iconButton, replace, tame} from "./dom.js";
import {counted, t} from "./i18n.js";
import {messageOf} from "./messages.js";

const FINAL = new Set(["done", "failed", "cancelled"]);

export const isOpen = job => !FINAL.has(job.status);

const MAX_TRIES = 5;

// The server's reason, without the name that stands before it.
const reasonOf = ({name, error}) => (error?.startsWith(`${name}: `) ? error.slice(name.length + 2) : error) ?? t("failed");

export class Upload {
  // onRead is called after each file of several that was read.
  constructor(names, onRead) {
    Object.assign(this, {names, onRead, nEnded: 0});
    this.abort = new AbortController();
    this.element = h("li", {class: "upload"});
    this.job = null;
    this.draw("uploading", 0);
  }

  send(files, collection) {
    return this.run(() => api.upload(files, collection, share => this.draw("uploading", share), this.abort.signal));
  }

  resume(job) {
    return this.run(async () => job);
  }

  async run(begin) {
    try {
      this.job = await begin();
      await this.follow();
    } catch (error) {
      if (error.name === "AbortError") this.draw("cancelled");
      else this.fail(messageOf(error));
    }
    return this.job;
  }

  // A stream that breaks is taken up again: the job goes on without it.
  async follow() {
    for (let tries = 0; tries < MAX_TRIES && !FINAL.has(this.job.status); tries += 1) {
      try {
        await api.stream("GET", `/jobs/${this.job.job}/events`, {signal: this.abort.signal, onEvent: (_, job) => {
          tries = 0;
          this.job = job;
          this.drawJob();
        }});
        if (!FINAL.has(this.job.status)) this.job = await api.get(`/jobs/${this.job.job}`);
      } catch (error) {
        if (error.name === "AbortError" || (error.status && error.status < 500)) throw error;
        await new Promise(resolve => setTimeout(resolve, 1000 * (tries + 1)));
      }
    }
    this.drawJob();
  }

  cancel() {
    this.abort.abort();
    if (this.job) api.remove(`/jobs/${this.job.job}`).catch(() => {});
  }

  drawJob() {
    const {status, progress, files} = this.job;
    const share = progress?.total ? progress.done / progress.total : undefined;
    const ended = files.filter(file => FINAL.has(file.status));
    if (ended.length > this.nEnded && isOpen(this.job)) this.onRead();
    this.nEnded = ended.length;
    this.draw(status, share, files.filter(file => file.status === "failed"));
    if (status === "done" && !files.some(file => file.status === "failed")) setTimeout(() => this.element.remove(), 4000);
  }

  draw(status, share, failed = []) {
    const all = this.names.join(", ");
    const isRunning = !FINAL.has(status);
    const name = (isRunning && this.job?.progress?.file) || all;
    const n = this.names.length;
    const count = n > 1 && (status === "running" ? t("file.of", {n: Math.min(this.nEnded + 1, n), of: n}) : counted("files", n));
    replace(this.element,
      h("div", {class: "row"}, foreign(name, {class: "name", title: tame(all)}),
        h("span", {class: "dim small"}, [t(status), count].filter(Boolean).join(" ")),
        isRunning && iconButton("close", t("cancel"), () => this.cancel(), {class: "icon-button quiet"})),
      isRunning && h("progress", {max: 1, value: share, "aria-label": t("progress", {name: tame(name)})}),
      failed.map(file => h("p", {class: "error", role: "alert"}, foreign(file.name), ": ", tame(reasonOf(file)))));
  }

  fail(message) {
    this.draw("failed");
    this.element.append(h("p", {class: "error", role: "alert"}, message));
  }
}
