"use strict";
// Keeps the page the same as the page on the server. Each message contains the whole page.
const names = ["place", "last", "hands", "plan", "log", "knows", "code"];
const isTelevision = document.body.classList.contains("television");
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

// The server sends a beat every three seconds.
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

let known = null;

function glow() {
  document.body.classList.remove("fresh");
  void document.body.offsetWidth;
  document.body.classList.add("fresh");
}

function connect() {
  events?.close();
  tried = performance.now();
  events = new EventSource(location.href);
  events.onmessage = (message) => {
    const now = JSON.parse(message.data);
    const outcome = (now.last ?? "") + (now.hands ?? "");
    const isFirst = known === null;
    const isNew = !isFirst && known !== outcome;
    known = outcome;
    for (const name of names) put(name, now[name] ?? "");
    if (isNew) glow();
    if (isTelevision) rotate(isNew || isFirst);
    else fitHands();
    if (isNew) showWhere();
    clock = typeof now.left === "number" ? { ends: performance.now() + now.left } : null;
    tick();
    hear();
  };
  events.addEventListener("beat", hear);
  events.onerror = lose;
}

// A machine that is frozen or cut off doesn't close its connections. It can only be recognized by its silence.
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

at("full").hidden = !document.fullscreenEnabled;
at("full").addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});
at("whole").hidden = isTelevision || !at("plan").textContent;
at("whole").addEventListener("click", () => {
  const isWhole = document.body.classList.toggle("whole");
  at("whole").textContent = isWhole ? "large plan" : "whole plan";
});

// All tasks on the table should be visible without scrolling. If they aren't, their letters shrink, and short items
// share a line.
const SMALLEST_TO_HOLD = 14;

function fitHands() {
  const list = at("hands").querySelector("ul");
  if (!list) return;
  const holds = () => list.getBoundingClientRect().bottom + scrollY <= innerHeight;
  list.style.fontSize = "";
  list.classList.remove("dense");
  const largest = Math.floor(parseFloat(getComputedStyle(list).fontSize));
  for (const dense of [false, true]) {
    list.classList.toggle("dense", dense);
    for (let size = largest; size >= SMALLEST_TO_HOLD; size -= 1) {
      list.style.fontSize = size + "px";
      if (holds()) return;
    }
  }
}

// If the plan has to be scrolled, it is scrolled to the areas that have changed.
function showWhere() {
  const box = at("plan");
  const changed = [...box.querySelectorAll(".new")].map((frame) => frame.getBoundingClientRect());
  if (isTelevision || !changed.length) return;
  const frame = box.getBoundingClientRect();
  const high = Math.max(Math.min(box.clientHeight, innerHeight - frame.top), frame.height / 3);
  const left = Math.min(...changed.map((of) => of.left)) - frame.left;
  const right = Math.max(...changed.map((of) => of.right)) - frame.left;
  const top = Math.min(...changed.map((of) => of.top)) - frame.top;
  const bottom = Math.max(...changed.map((of) => of.bottom)) - frame.top;
  // If the changed areas are too large to be visible together, they are shown from the top left corner.
  box.scrollLeft += Math.min(left, (left + right - box.clientWidth) / 2);
  box.scrollTop += Math.min(top, (top + bottom - high) / 2);
}

// A television shows three faces in turn and never scrolls: the last outcome, the plan, and the standings. A face is
// divided into views if it doesn't fit at a size that can be read across a room.
const FRESH = 20000;
const EACH = 8000;
let views = [];
let shown = 0;
let turning = null;

// Capitals that span 12 arc minutes at a distance of four metres are 2 % of the height of a 55-inch
// screen.
const isWide = () => innerWidth > 1.2 * innerHeight;
const smallest = () => (isWide() ? Math.max(16, 0.03 * innerHeight) : 16);
const smallestOnPlan = () => (isWide() ? Math.max(12, 0.0195 * innerHeight) : 12);
const overflows = (box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;

// Finds the largest size at which a box holds all of its content. Returns false if there is none.
function fit(box, largest) {
  const least = smallest();
  let low = least;
  let high = Math.max(least, largest);
  const holds = (size) => { box.style.fontSize = size + "px"; return !overflows(box); };
  if (!holds(least)) return false;
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle; else high = middle;
  }
  holds(low);
  return true;
}

// Divides items into views, each as full as possible.
function divide(box, items) {
  const parts = [];
  let part = [];
  items.forEach((item) => item.classList.add("away"));
  box.style.fontSize = smallest() + "px";
  for (const item of items) {
    item.classList.remove("away");
    if (overflows(box) && part.length) {
      part.forEach((of) => of.classList.add("away"));
      parts.push(part);
      part = [];
    }
    part.push(item);
  }
  if (part.length) parts.push(part);
  items.forEach((item) => item.classList.remove("away"));
  return parts;
}

function face(name, isLong) {
  document.body.dataset.face = name;
  document.body.classList.toggle("long", Boolean(isLong));
}

// Shows the longest form of the outcome for which there is room. Returns false if there is no room for any form.
function showLast() {
  const last = at("last");
  const forms = [...last.querySelectorAll(".form")];
  // A correction has only one form, and so has the text before the first outcome.
  if (!forms.length) return fit(last, 0.06 * innerHeight);
  return forms.some((form) => {
    forms.forEach((of) => { of.style.display = of === form ? "block" : "none"; });
    return fit(last, 0.06 * innerHeight);
  });
}

// Shows an outcome that changes nothing on the table, and below it the latest of the earlier outcomes, if they fit.
function showQuiet() {
  const log = at("log");
  const items = [...log.children];
  items.forEach((item) => item.classList.remove("away"));
  face("now");
  showLast();
  if (items.length < 2) return;
  face("quiet");
  log.style.fontSize = smallest() + "px";
  // The first item is the heading.
  while (items.length > 1 && overflows(log)) items.pop().classList.add("away");
  if (items.length > 1) fit(log, 0.04 * innerHeight);
  else face("now");
}

function viewsOfNow() {
  const hands = at("hands");
  const items = [...hands.querySelectorAll("li")];
  if (!items.length) return [{ face: "quiet", show: showQuiet }];
  face("now");
  hands.style.maxHeight = isWide() ? "" : "65vh";
  const all = fit(hands, (isWide() ? 0.06 : 0.04) * innerHeight);
  const size = hands.style.fontSize;
  if (all && showLast()) return [{ face: "now", show: () => { hands.style.fontSize = size; showLast(); } }];
  // The tasks and the outcome are shown one after the other.
  hands.style.maxHeight = "";
  face("more", true);
  const views = divide(hands, items).map((part) => ({
    face: "more",
    show: () => {
      items.forEach((item) => item.classList.toggle("away", !part.includes(item)));
      fit(hands, 0.06 * innerHeight);
    },
  }));
  return [...views, { face: "last", show: showLast }];
}

function viewsOfPlan() {
  const picture = at("plan").querySelector("svg.plan");
  if (!picture) return [];
  face("plan");
  picture.dataset.whole ??= picture.getAttribute("viewBox");
  const [left, top, width, height] = picture.dataset.whole.split(" ").map(Number);
  // Labels are 20 units high.
  const most = smallestOnPlan() / 20;
  const box = at("plan");
  const across = Math.max(1, Math.ceil((width * most) / box.clientWidth - 0.02));
  const down = Math.max(1, Math.ceil((height * most) / box.clientHeight - 0.02));
  const wide = Math.min(width, Math.max(width / across, Math.min(width, box.clientWidth / most)));
  const high = Math.min(height, Math.max(height / down, Math.min(height, box.clientHeight / most)));
  const found = [];
  for (let row = 0; row < down; row += 1) {
    for (let column = 0; column < across; column += 1) {
      const x = left + (across > 1 ? ((width - wide) * column) / (across - 1) : 0);
      const y = top + (down > 1 ? ((height - high) * row) / (down - 1) : 0);
      found.push({ face: "plan", show: () => picture.setAttribute("viewBox", [x, y, wide, high].join(" ")) });
    }
  }
  return found;
}

function viewsOfStandings() {
  const box = at("knows");
  if (!box.textContent.trim()) return [];
  face("knows");
  if (fit(box, 0.05 * innerHeight)) {
    const size = box.style.fontSize;
    return [{ face: "knows", show: () => { box.style.fontSize = size; } }];
  }
  const items = [...box.querySelectorAll("li, tbody tr, p")];
  const parts = divide(box, items);
  return parts.map((part) => ({
    face: "knows",
    show: () => {
      box.style.fontSize = smallest() + "px";
      items.forEach((item) => item.classList.toggle("away", !part.includes(item)));
    },
  }));
}

function show(number) {
  shown = number % views.length;
  const view = views[shown];
  face(view.face, view.face === "more");
  view.show();
  clearTimeout(turning);
  turning = setTimeout(() => show(shown + 1), view.time);
}

function rotate(isNew) {
  const code = at("code").textContent.trim() ? [{ face: "code", show: () => {}, time: EACH }] : [];
  const now = viewsOfNow();
  // All tasks on the table are shown within the first twenty seconds.
  now.forEach((view) => { view.time = (isNew ? FRESH : EACH) / (isNew ? now.length : 1); });
  const others = [...viewsOfPlan(), ...viewsOfStandings()];
  others.forEach((view) => { view.time = EACH; });
  views = [...now, ...code, ...others];
  const begin = isNew || shown >= views.length ? 0 : shown;
  show(begin);
  document.body.dataset.views = now.length;
}

if (isTelevision) {
  rotate(true);
  window.addEventListener("resize", () => rotate(true));
} else {
  fitHands();
  window.addEventListener("resize", fitHands);
}

setInterval(() => { tick(); watch(); }, 1000);
document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);
window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
connect();
