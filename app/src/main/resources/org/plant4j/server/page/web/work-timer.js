// Measures how long the coder works on each document: while the page is visible and used.

const KEY = 'plant4j.seconds.';
const IDLE_MILLISECONDS = 120_000;
const TICK_MILLISECONDS = 1000;
const MAX_SECONDS = 86_400;

let current = null;
let seconds = 0;
let lastInput = Date.now();

const store = () => { if (current) sessionStorage.setItem(KEY + current, String(seconds)); };

['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'].forEach((type) => addEventListener(type, () => { lastInput = Date.now(); }, { passive: true, capture: true }));
addEventListener('pagehide', store);
setInterval(() => {
  if (!current || document.visibilityState !== 'visible' || Date.now() - lastInput > IDLE_MILLISECONDS) return;
  seconds = Math.min(seconds + 1, MAX_SECONDS);
  store();
}, TICK_MILLISECONDS);

export const workTimer = {
  /** Continues with a document, from what this tab has measured of it before. */
  open(id) {
    store();
    current = id;
    seconds = Number(sessionStorage.getItem(KEY + id)) || 0;
    lastInput = Date.now();
  },

  get seconds() {
    return seconds;
  },
};
