"use strict";
// Keeps the page as it is on the server: each message holds all of it.
const names = ["place", "last", "hands", "plan", "log", "knows"];
const at = (name) => document.getElementById(name);
const draft = document.createElement("template");
// The machine sends a beat every four seconds; after nine without a word what is shown may be old.
const PATIENCE = 9000;
let clock = null;
let events = null;
let heard = Date.now();

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

function hear() {
  heard = Date.now();
  state("");
}

function timeHeard() {
  const then = new Date(heard);
  return String(then.getHours()).padStart(2, "0") + ":" + String(then.getMinutes()).padStart(2, "0");
}

function connect() {
  if (events) events.close();
  events = new EventSource(location.href);
  events.addEventListener("beat", hear);
  events.onmessage = (message) => {
    hear();
    const now = JSON.parse(message.data);
    for (const name of names) put(name, now[name] ?? "");
    clock = typeof now.left === "number" ? { ends: performance.now() + now.left } : null;
    tick();
  };
  events.onerror = () => {
    state("as of " + timeHeard() + ": not connected to the umpire's machine; trying again");
  };
}

// A connection that has died without a word, or a tab that has slept, is noticed here.
function watch() {
  if (Date.now() - heard < PATIENCE) return;
  state("as of " + timeHeard() + ": no word from the umpire's machine since; trying again");
  if (events.readyState === EventSource.CLOSED || Date.now() - tried >= PATIENCE) {
    tried = Date.now();
    connect();
  }
}

let tried = Date.now();
setInterval(tick, 1000);
setInterval(watch, 1000);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) watch();
});
connect();
