"use strict";
// Keeps the page as it is on the server: each message holds all of it.
const names = ["place", "last", "hands", "plan", "log", "knows"];
const at = (name) => document.getElementById(name);
const draft = document.createElement("template");
let clock = null;

function put(name, html) {
  const section = at(name);
  draft.innerHTML = html;
  if (section.innerHTML !== draft.innerHTML) section.replaceChildren(draft.content);
}

function tick() {
  if (!clock) return put("clock", "");
  const left = clock.ends - performance.now();
  const seconds = Math.floor(Math.abs(left) / 1000);
  const words = (left < 0 ? "+" : "") + Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
  if (at("clock").textContent !== words) at("clock").textContent = words;
  at("clock").classList.toggle("over", left < 0);
}

function state(words) {
  at("state").hidden = !words;
  if (at("state").textContent !== words) at("state").textContent = words;
}

// The server beats every three seconds.
const SILENCE = 8000;
const RETRY = 2000;
let events = null;
let tried = performance.now();
let heard = performance.now();
let heardAt = new Date();

function hear() {
  heard = performance.now();
  heardAt = new Date();
  state("");
}

function lose() {
  const time = heardAt.toTimeString().slice(0, 5);
  state("as of " + time + ": not connected to the umpire's machine; trying again");
}

function connect() {
  events?.close();
  tried = performance.now();
  events = new EventSource(location.href);
  events.onmessage = (message) => {
    const now = JSON.parse(message.data);
    for (const name of names) put(name, now[name] ?? "");
    clock = typeof now.left === "number" ? { ends: performance.now() + now.left } : null;
    tick();
    hear();
  };
  events.addEventListener("beat", hear);
  events.onerror = lose;
}

// A machine that is frozen or cut off closes nothing: only its silence shows.
function watch() {
  const now = performance.now();
  const silent = now - heard > SILENCE;
  if (silent) lose();
  const gone = events.readyState === EventSource.CLOSED && now - tried > RETRY;
  if (gone || (silent && now - tried > SILENCE)) connect();
}

function wake() {
  if (document.visibilityState !== "visible") return;
  if (performance.now() - heard > SILENCE) lose();
  connect();
}

setInterval(() => { tick(); watch(); }, 1000);
document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);
window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
connect();
