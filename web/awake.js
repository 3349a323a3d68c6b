// The screen kept on, where the browser can.

let lock = null;

export const canStayAwake = () => "wakeLock" in navigator;

/** Keep the screen on while it is `wanted` and the page is seen; otherwise let it go. */
export async function stayAwake(wanted) {
  if (!wanted || !canStayAwake() || document.visibilityState !== "visible") {
    await lock?.release();
    lock = null;
    return;
  }
  if (lock && !lock.released) return;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    lock = null; // a weak battery forbids it; it is tried again the next time
  }
}
