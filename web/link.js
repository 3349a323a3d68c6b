// The wire to the table: one event stream that comes back by itself, shared by all tabs, and commands.

const SILENT_MS = 7000; // the server is never silent longer than 3 s
const WAIT_MS = [400, 700, 900];
const ASK_MS = [1500, 1500, 1500, 5000]; // a question that went nowhere is asked anew soon; a slow server is given time now and then
const ALONE_MS = 3000; // a leading tab speaks every second
const ALONE_HIDDEN_MS = 15000;
const CLAIM_MS = 150; // all that would lead after one that went have said so
const GREET_MS = 150; // a tab that leads answers sooner; meanwhile the page shows what it asked for by itself

/**
 * Follow the table; `show(snapshot)` for every news, `state("on" | "off" | "unpaired")` for the line itself.
 * One tab of a browser holds the stream and passes on what comes; another takes over when it goes.
 * `as` asks for the view of a screen for lookers-on; `answered({by, event, not})` for every answer that another device gave.
 */
export function follow(show, state, as = "", answered = () => {}) {
  const me = Math.random().toString(36).slice(2);
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(`companion ${as}`) : null;
  let since = 0; // when this tab began to lead; 0: it does not
  let heard = 0; // when the leading tab was heard last
  let behind = false; // another tab comes first when the leading one has gone
  let newest = null;
  let condition = "off";

  const tell = (kind, more = {}) => channel?.postMessage({ kind, from: me, since, ...more });
  const wire = line((snapshot, id) => {
    newest = { snapshot, id };
    show(snapshot);
    tell("snapshot", newest);
  }, (next) => {
    condition = next;
    state(next);
    tell("state", { condition });
  }, (given) => {
    answered(given);
    tell("answered", { given, at: Date.now() });
  }, as);

  /** The table as it is now, so that nobody waits for the stream; what came meanwhile is newer. */
  async function early() {
    const { status, body: snapshot } = await read(`api/snapshot${as && `?as=${as}`}`);
    if (status !== 200 || newest) return;
    newest = { snapshot, id: `${snapshot.revision}.${snapshot.role}` };
    condition = "on";
    state(condition);
    show(snapshot);
  }

  early();
  if (!channel) {
    wire.start("");
    return;
  }

  function lead() {
    if (since) return;
    since = Date.now();
    tell("lead");
    wire.start(newest?.id ?? "");
  }

  function rest() {
    since = 0;
    heard = Date.now();
    wire.stop();
  }

  channel.addEventListener("message", ({ data }) => {
    if (data.kind === "who") {
      if (since) {
        tell("state", { condition });
        if (newest) tell("snapshot", newest);
      }
      return;
    }
    if (data.kind === "bye") {
      if (since) return;
      heard = 0;
      behind = false;
      tell("claim");
      setTimeout(() => { if (!behind && !heard) lead(); }, CLAIM_MS);
      return;
    }
    if (data.kind === "claim") {
      if (data.from < me) behind = true;
      return;
    }
    if (since) {
      if (data.since < since || (data.since === since && data.from < me)) return tell("lead");
      rest();
    }
    heard = Date.now();
    if (data.kind === "answered" && Date.now() - data.at < SILENT_MS) answered(data.given); // a tab may have slept
    if (data.kind === "state" && data.condition !== condition) {
      condition = data.condition;
      state(condition);
    }
    if (data.kind === "snapshot" && data.id !== newest?.id) {
      newest = { snapshot: data.snapshot, id: data.id };
      show(data.snapshot);
    }
    return undefined;
  });

  function greet() {
    tell("who");
    setTimeout(() => { if (!since && Date.now() - heard > ALONE_MS) lead(); }, GREET_MS);
  }

  setInterval(() => {
    if (since) tell("beat");
    else if (Date.now() - heard > (document.visibilityState === "visible" ? ALONE_MS : ALONE_HIDDEN_MS)) lead();
  }, 1000);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible" && !since) greet(); });
  window.addEventListener("pagehide", () => {
    if (since) {
      rest();
      tell("bye");
    }
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) greet(); });
  greet();
}

/** One event stream that comes back by itself until it is stopped. */
function line(show, state, answered, as) {
  let source = null;
  let last = "";
  let heard = 0;
  let failures = 0;
  let asked = 0;
  let timer = 0;
  let wanted = false;
  const view = as ? `as=${as}` : "";

  function connect() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(`api/events?after=${encodeURIComponent(last)}&${view}`);
    heard = Date.now();
    source.addEventListener("snapshot", (event) => {
      if (!alive()) return;
      last = event.lastEventId;
      show(JSON.parse(event.data), last);
    });
    source.addEventListener("answered", (event) => { if (alive()) answered(JSON.parse(event.data)); });
    source.addEventListener("beat", alive);
    source.onerror = () => {
      source.close();
      lost();
    };
  }

  /** Note that the line is there; false where this page has slept, and what comes was kept for it: it asks anew. */
  function alive() {
    if (look()) return false;
    heard = Date.now();
    failures = 0;
    asked = 0;
    state("on");
    return true;
  }

  function lost() {
    if (!wanted) return;
    state("off");
    const wait = WAIT_MS[Math.min(failures, WAIT_MS.length - 1)];
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(ask, wait);
  }

  async function ask() {
    // An event stream does not say why it was refused; a plain request does.
    try {
      const answer = await fetch(`api/snapshot?${view}`, { signal: AbortSignal.timeout(ASK_MS[asked++ % ASK_MS.length]) });
      if (!wanted) return;
      if (answer.status === 401) {
        state("unpaired");
        timer = setTimeout(ask, 5000);
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      connect();
    } catch {
      lost();
    }
  }

  /** Whether nothing has come for too long; then the line is made anew. */
  function look() {
    if (!wanted || Date.now() - heard <= SILENT_MS) return false;
    heard = Date.now();
    source?.close();
    lost();
    return true;
  }

  setInterval(look, 1000);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") look();
  });
  window.addEventListener("offline", () => {
    source?.close();
    lost();
  });
  window.addEventListener("online", () => {
    failures = 0;
    if (wanted && source?.readyState === EventSource.CLOSED) ask();
  });
  return {
    start(after) {
      wanted = true;
      last = after;
      connect();
    },
    stop() {
      wanted = false;
      clearTimeout(timer);
      source?.close();
    },
  };
}

const STALE_MS = 10_000; // what was pressed so long ago is not sent any more: the game has gone on

/** Send a command; the answer is `{ok, ...}` or `{ok: false, reason, error}`. A repetition is done once. */
export async function send(command, address = "api/commands") {
  const pressed = Date.now();
  const key = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  for (let attempt = 0; attempt < 2 && Date.now() - pressed < STALE_MS; attempt += 1) { // a phone may sleep between them
    try {
      const answer = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...command, key }),
        signal: AbortSignal.timeout(6000),
      });
      const body = await answer.json();
      return answer.ok ? { ok: true, ...body } : { ok: false, reason: "other", ...body };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
  }
  return { ok: false, reason: "offline" };
}

/** Ask for something, with a `question` by POST; `{ok, status, body}`, with status 0 where no answer comes. */
export async function read(address, { withinMs = 5000, question = undefined } = {}) {
  const options = question === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) };
  try {
    const answer = await fetch(address, { ...options, signal: AbortSignal.timeout(withinMs) });
    return { ok: answer.ok, status: answer.status, body: await answer.json() };
  } catch {
    return { ok: false, status: 0, body: null };
  }
}
