"use strict";
// A player's own page. The key is in the fragment of the address, which browsers never send. The page sends it in a
// header.
const key = location.hash.slice(1);
const at = (id) => document.getElementById(id);
const sections = ["place", "last", "own", "briefing", "hands", "plan"];
const draft = document.createElement("template");

function put(name, html) {
  draft.innerHTML = html;
  if (at(name).innerHTML !== draft.innerHTML) at(name).replaceChildren(draft.content);
}

let clock = null;

function tick() {
  const left = clock === null ? 0 : clock - performance.now();
  const seconds = Math.floor(Math.abs(left) / 1000);
  const time = (left < 0 ? "+" : "") + Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
  const words = clock === null ? "" : time;
  if (at("clock").textContent !== words) at("clock").textContent = words;
  at("clock").classList.toggle("over", left < 0);
}

function state(words) {
  at("state").hidden = !words;
  if (at("state").textContent !== words) at("state").textContent = words;
}

// Requests that have not reached the umpire's machine are stored here, even while the phone sleeps. The key belongs
// to one player of one game, so no request is sent with another key.
const store = "adjutant:" + key;

function unsent() {
  try {
    return JSON.parse(localStorage.getItem(store)) ?? [];
  } catch {
    return [];
  }
}

function keep(all) {
  try {
    localStorage.setItem(store, JSON.stringify(all));
  } catch {
    memory = all;
  }
}

let memory = [];
const waiting = () => {
  const kept = unsent();
  return kept.length ? kept : memory;
};

// `crypto.randomUUID` needs HTTPS; random numbers don't.
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

let sending = false;
let refused = "";

function send(kind) {
  keep([...waiting(), { id: newId(), kind }]);
  refused = "";
  show();
  flush();
}

// Sends the waiting requests, the oldest first, each until it is answered. The server never stores the same id twice.
async function flush() {
  if (sending) return;
  sending = true;
  try {
    for (;;) {
      const [next] = waiting();
      if (!next) return;
      const answer = await fetch("/player/requests", {
        method: "POST",
        headers: { "content-type": "application/json", "x-adjutant-key": key },
        body: JSON.stringify(next),
        cache: "no-store",
        // A dead connection must not hold up later requests.
        signal: AbortSignal.timeout(10000),
      });
      // The request was too slow, there were too many at once, or the server failed. Try again later.
      if (answer.status === 408 || answer.status === 429 || answer.status >= 500) return;
      if (!answer.ok) refused = (await answer.text()).trim();
      const rest = waiting().filter((one) => one.id !== next.id);
      memory = rest;
      keep(rest);
      show();
    }
  } catch {
    // There is no connection, so the request stays where it is.
  } finally {
    sending = false;
  }
}

const SILENCE = 8000;
const RETRY = 2000;
let heard = performance.now();
let heardAt = new Date();
let connection = null;
let mine = null;
let told = null;

function hear() {
  heard = performance.now();
  heardAt = new Date();
  state("");
}

function lose() {
  const time = heardAt.toTimeString().slice(0, 5);
  state("as of " + time + ": not connected to the umpire's machine; trying again");
}

function receive(event) {
  const lines = event.split("\n");
  const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim()).join("\n");
  hear();
  if (lines.includes("event: beat") || !data) return;
  const now = JSON.parse(data);
  for (const name of sections) put(name, now[name] ?? "");
  clock = typeof now.left === "number" ? performance.now() + now.left : null;
  tick();
  mine = now.mine ? JSON.parse(now.mine) : null;
  tell();
  show();
}

async function connect() {
  connection?.abort();
  const own = new AbortController();
  connection = own;
  heard = performance.now();
  try {
    const answer = await fetch("/player/updates", {
      headers: { accept: "text/event-stream", "x-adjutant-key": key },
      cache: "no-store",
      signal: own.signal,
    });
    if (answer.status === 404) return state("this page is no longer valid; ask the umpire for your code");
    if (!answer.ok || !answer.body) return lose();
    flush();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      const events = text.split("\n\n");
      text = events.pop();
      events.forEach(receive);
    }
  } catch {
    // The connection was aborted, or the network is gone.
  }
  if (connection === own) {
    lose();
    setTimeout(() => { if (connection === own) connect(); }, RETRY);
  }
}

function wordsOf(kind) {
  if (kind.orders) {
    const { who, to, until, otherwise } = kind.orders;
    const parts = [to, until && "until " + until, otherwise && "otherwise " + otherwise].filter(Boolean);
    return (who ? who + ": " : "") + parts.join(", ");
  }
  return kind.faces ? "dice " + kind.faces.faces.join(" ") : "ready";
}

const NEWS = 60000;
let forgetting = null;

// Shows the umpire's decisions since the last update of the page. The outcome already shows a player's dice.
function tell() {
  const states = new Map((mine?.requests ?? []).map((one) => [one.id, one]));
  const news = [];
  if (told) {
    for (const [id, one] of states) {
      if (!one.kind.faces && one.state !== "waiting" && told.get(id)?.state === "waiting") {
        news.push(one.state + (one.reason ? " (" + one.reason + ")" : "") + ": " + wordsOf(one.kind));
      }
    }
  }
  told = states;
  if (!news.length) return;
  const [last, more] = [news.slice(-2), news.length - 2];
  if (more > 0) last.push("and " + more + " more: see Orders");
  at("news").replaceChildren(...last.map((words) => paragraph(words)));
  clearTimeout(forgetting);
  forgetting = setTimeout(() => at("news").replaceChildren(), NEWS);
}

function paragraph(words) {
  const one = document.createElement("p");
  one.textContent = words;
  return one;
}

const MOST_FACES = 100;
let given = [];
let asked = null;

function showDice() {
  const question = mine?.question ?? null;
  at("dice").hidden = !question;
  if (!question) {
    asked = null;
    return;
  }
  if (asked !== question.id) {
    asked = question.id;
    given = [];
    at("dice-asked").textContent = question.asked;
    const faces = Math.min(question.sides, 100);
    const buttons = Array.from({ length: faces }, (_, index) => {
      const face = document.createElement("button");
      face.type = "button";
      face.textContent = index + 1;
      face.addEventListener("click", () => {
        if (given.length < MOST_FACES) given.push(index + 1);
        show();
      });
      return face;
    });
    at("dice-faces").replaceChildren(...buttons);
  }
  const isSent = [...(mine.requests ?? []), ...waiting()].some((one) => one.kind.faces?.question === question.id);
  at("dice-given").textContent = isSent ? "sent" : given.join(" ");
  at("dice-send").disabled = isSent || given.length < question.count;
  at("dice-clear").disabled = isSent || !given.length;
  for (const face of at("dice-faces").children) face.disabled = isSent || given.length >= MOST_FACES;
}

function show() {
  at("write").hidden = !mine?.open;
  at("tab-orders").hidden = !mine?.open;
  at("tab-plan").hidden = !at("plan").textContent;
  if (!mine) return;
  showDice();
  const pieces = (mine.pieces ?? []).join("\n");
  if (at("pieces").dataset.of !== pieces) {
    at("pieces").dataset.of = pieces;
    at("pieces").replaceChildren(...mine.pieces.map((name) => new Option(name)));
  }
  const marks = waiting().filter((one) => one.kind.ready).map((one) => one.kind.ready.ready);
  const isReady = marks.length ? marks[marks.length - 1] : mine.ready;
  at("ready").setAttribute("aria-pressed", isReady);
  at("ready").textContent = isReady ? "ready: tap if you aren't" : "I am ready";
  const lines = mine.requests.filter((one) => !one.kind.ready).reverse().map((one) => {
    const line = document.createElement("li");
    line.className = one.state === "waiting" ? "waiting" : "";
    line.textContent = wordsOf(one.kind) + " — " + one.state + (one.reason ? ": " + one.reason : "");
    return line;
  });
  const kept = waiting().filter((one) => !one.kind.ready).map((one) => {
    const line = document.createElement("li");
    line.textContent = wordsOf(one.kind) + " — not sent yet";
    return line;
  });
  const head = document.createElement("h2");
  head.textContent = "Sent";
  const list = document.createElement("ul");
  list.append(...kept, ...lines);
  if (refused) {
    at("news").replaceChildren(paragraph("not accepted: " + refused));
    refused = "";
  }
  at("sent").replaceChildren(...(list.children.length ? [head, list] : []));
}

// The page never scrolls. Only one part of it is shown at a time, and that part scrolls.
const tabs = [...document.querySelectorAll("#tabs button")];

function choose(tab) {
  for (const one of tabs) {
    one.setAttribute("aria-selected", one === tab);
    one.tabIndex = one === tab ? 0 : -1;
    at(one.getAttribute("aria-controls")).hidden = one !== tab;
  }
}

tabs.forEach((tab) => tab.addEventListener("click", () => choose(tab)));
at("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const there = tabs.filter((tab) => !tab.hidden);
  const now = there.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
  const next = there[(now + step + there.length) % there.length];
  choose(next);
  next.focus();
});
at("orders").addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = new FormData(event.target);
  const text = (name) => String(fields.get(name) ?? "").trim();
  if (!text("to")) return;
  send({ orders: { who: text("who"), to: text("to"), until: text("until"), otherwise: text("otherwise") } });
  event.target.reset();
});
at("ready").addEventListener("click", () => {
  send({ ready: { ready: at("ready").getAttribute("aria-pressed") !== "true" } });
});
at("dice-clear").addEventListener("click", () => {
  given = [];
  show();
});
at("dice-send").addEventListener("click", () => send({ faces: { question: asked, faces: given } }));

function wake() {
  if (document.visibilityState === "visible") connect();
}

setInterval(tick, 1000);
setInterval(() => {
  if (performance.now() - heard > SILENCE) {
    lose();
    connect();
  }
  flush();
}, RETRY);
document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);
window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
window.addEventListener("hashchange", () => location.reload());
connect();
