// Talks to the server: requests, streams of events, uploads.

import {settings} from "./settings.js";

const API = "/api/v1";

export class Problem extends Error {
  constructor(status, detail, kind = "", requestId = "") {
    super(detail);
    this.status = status;
    this.kind = kind;
    this.requestId = requestId;
  }
}

const headers = extra => (settings.key ? {...extra, Authorization: `Bearer ${settings.key}`} : extra);

async function problemOf(reply) {
  try {
    const found = await reply.json();
    return new Problem(reply.status, found.detail ?? reply.statusText, (found.type ?? "").split(":").pop(), found.request_id);
  } catch {
    return new Problem(reply.status, reply.statusText || String(reply.status));
  }
}

async function send(method, path, {body, signal, accept = "application/json"} = {}) {
  let reply;
  try {
    reply = await fetch(API + path, {
      method, signal, body: body && JSON.stringify(body),
      headers: headers({Accept: accept, ...(body ? {"Content-Type": "application/json"} : {})}),
    });
  } catch (error) {
    throw error.name === "AbortError" ? error : new Problem(0, "offline", "offline");
  }
  if (!reply.ok) throw await problemOf(reply);
  return reply;
}

export const get = async (path, options) => (await send("GET", path, options)).json();
export const post = async (path, body, options) => (await send("POST", path, {...options, body})).json();
export const remove = async path => { await send("DELETE", path); };

export async function picture(path, signal) {
  return URL.createObjectURL(await (await send("GET", path, {signal, accept: "image/png"})).blob());
}

// Calls onEvent(name, data) for each event; returns when the server ends the stream.
export async function stream(method, path, {body, signal, onEvent, headers: extra} = {}) {
  const reply = await send(method, path, {body, signal, accept: "text/event-stream", headers: extra});
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const {value, done} = await reader.read();
      if (done) return;
      const parts = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
      rest = parts.pop();
      parts.forEach(part => dispatch(part, onEvent));
    }
  } catch (error) {
    throw error.name === "AbortError" ? error : new Problem(0, "offline", "offline");
  }
}

function dispatch(part, onEvent) {
  let name = "message";
  const data = [];
  for (const line of part.split("\n")) {
    const [field, value] = [line.split(":", 1)[0], line.slice(line.indexOf(":") + 1).replace(/^ /, "")];
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
  }
  if (data.length) onEvent(name, JSON.parse(data.join("\n")));
}

// Sends files with progress, which fetch cannot report.
export function upload(files, collection, onProgress, signal) {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  if (collection) form.append("collection", collection);
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.upload.addEventListener("progress", event => event.lengthComputable && onProgress(event.loaded / event.total));
    request.addEventListener("load", () => {
      const reply = new Response(request.responseText, {status: request.status || 500});
      if (request.status < 300) resolve(JSON.parse(request.responseText));
      else problemOf(reply).then(reject);
    });
    request.addEventListener("error", () => reject(new Problem(0, "offline", "offline")));
    request.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    signal?.addEventListener("abort", () => request.abort());
    request.open("POST", `${API}/documents`);
    for (const [name, value] of Object.entries(headers({}))) request.setRequestHeader(name, value);
    request.send(form);
  });
}
