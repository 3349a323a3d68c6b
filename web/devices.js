// The paired devices: who looks on, a QR code for another one, and sending one away. The server decides.

import { button, closeSheet, el, openSheet, toast } from "./dom.js";
import { read, send } from "./link.js";
import { nameOf } from "./now.js";
import { refusedText, say } from "./words.js";

const names = () => ({ south: nameOf(0), north: nameOf(1) });
const roleName = (role) => say(role === "overlay" ? "overlay" : `roles|${role}`, names());

async function change(command) {
  const answer = await send(command, "api/devices");
  if (answer.ok) return answer;
  toast(refusedText(answer));
  if (answer.reason !== "offline") devicesSheet(); // what stood there is not so any more
  return null;
}

const stateOf = (device) => [
  device.own && say("device_own"), device.owner && say("device_owner"), !device.own && say(device.here ? "device_here" : "device_away"), device.name,
].filter(Boolean).join(" · ");

/** Show all devices; an owner changes and invites from here. */
export async function devicesSheet() {
  const { status, body: known } = await read("api/devices");
  if (status !== 200) {
    toast(refusedText({ reason: status ? known.reason ?? "other" : "offline" }));
    return;
  }
  const row = (device) => {
    const inside = [el("strong", { text: roleName(device.role) }), el("span", { text: stateOf(device) })];
    return known.owner
      ? el("button", { type: "button", className: "pick", "data-device": device.device, onclick: () => deviceSheet(device, known.roles) }, ...inside)
      : el("p", { className: "pick" }, ...inside);
  };
  openSheet(say("devices"),
    known.owner ? button(say("invite"), inviteSheet, "strong", "invite") : el("p", { text: say("devices_owner_only") }),
    el("div", { className: "group" }, ...known.devices.map(row)),
    button(say("done"), closeSheet, "quiet"));
}

function deviceSheet(device, roles) {
  openSheet(say("device_role"),
    el("p", { text: stateOf(device) }),
    ...roles.map((role) => el("button", { type: "button", className: "pick", "data-role": role, "aria-pressed": String(role === device.role),
      onclick: async () => { if (await change({ type: "role", device: device.device, role })) devicesSheet(); } },
    el("strong", { text: roleName(role) }), el("span", { text: say(`roles_more|${role}`, names()) }))),
    !device.own && button(say("revoke_device"), async () => {
      if (await change({ type: "revoke", device: device.device })) {
        toast(say("revoked"));
        devicesSheet();
      }
    }, "warn", "revoke-device"),
    button(say("cancel"), devicesSheet, "quiet"));
}

function inviteSheet() {
  const choice = (kind, role, to) => el("button", { type: "button", className: "pick", "data-role": kind, onclick: () => invite(role, to) },
    el("strong", { text: roleName(kind) }), el("span", { text: say(`roles_more|${kind}`, names()) }));
  openSheet(say("invite_title"),
    ...["south", "north", "table", "referee", "spectator", "board"].map((role) => choice(role, role)),
    choice("overlay", "board", "overlay"),
    button(say("cancel"), closeSheet, "quiet"));
}

async function invite(role, to) {
  const code = await change({ type: "invite", role, ...(to && { to }) });
  if (!code) return;
  openSheet(roleName(to ?? role),
    el("img", { className: "qr", id: "qr", src: code.qr, alt: say("qr") }),
    el("p", { text: say("invite_text", { n: code.minutes }) }),
    el("p", { className: "link" }, say("invite_link"), " ", el("code", { id: "invite-link", text: code.link })),
    button(say("invite_more"), inviteSheet),
    button(say("done"), closeSheet, "quiet"));
}
