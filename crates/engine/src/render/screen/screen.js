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

function connect() {
  const events = new EventSource(location.href);
  events.onopen = () => state("");
  events.onmessage = (message) => {
    const now = JSON.parse(message.data);
    for (const name of names) put(name, now[name] ?? "");
    clock = typeof now.left === "number" ? { ends: performance.now() + now.left } : null;
    tick();
  };
  events.onerror = () => {
    state("not connected to the umpire's machine; trying again");
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
  };
}

setInterval(tick, 1000);
connect();
