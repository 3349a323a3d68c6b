// The wire to the table: one event stream that comes back by itself, and commands.

const SILENT_MS = 12000; // the server is never silent longer than 5 s
const WAIT_MS = [500, 1000, 1500];

/** Follow the table; `show(snapshot)` for every news, `state("on" | "off" | "unpaired")` for the line itself. */
export function follow(show, state) {
  let source = null;
  let last = "";
  let heard = 0;
  let failures = 0;
  let timer = 0;

  function connect() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(`api/events?after=${encodeURIComponent(last)}`);
    heard = Date.now();
    source.addEventListener("snapshot", (event) => {
      alive();
      last = event.lastEventId;
      show(JSON.parse(event.data));
    });
    source.addEventListener("beat", alive);
    source.onerror = () => {
      source.close();
      lost();
    };
  }

  function alive() {
    heard = Date.now();
    failures = 0;
    state("on");
  }

  function lost() {
    state("off");
    const wait = WAIT_MS[Math.min(failures, WAIT_MS.length - 1)];
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(ask, wait);
  }

  async function ask() {
    // An event stream does not say why it was refused; a plain request does.
    try {
      const answer = await fetch("api/snapshot", { signal: AbortSignal.timeout(4000) });
      if (answer.status === 401) {
        state("unpaired");
        timer = setTimeout(ask, 5000);
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      show(await answer.json());
      connect();
    } catch {
      lost();
    }
  }

  function look() {
    if (Date.now() - heard > SILENT_MS) {
      heard = Date.now();
      source?.close();
      lost();
    }
  }

  setInterval(look, 1000);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") look();
  });
  window.addEventListener("online", () => {
    failures = 0;
    if (source?.readyState === EventSource.CLOSED) ask();
  });
  connect();
}

/** Send a command; the answer is `{ok, ...}` or `{ok: false, reason, error}`. A repetition is done once. */
export async function send(command, address = "api/commands") {
  const key = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  for (let attempt = 0; attempt < 2; attempt += 1) {
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
