// The keyboard: one table, read by the handler and by the help.

import { $, closable, h } from './dom.js';

const OFF = 'desk.keys';

/**
 * `table`: groups of `{keys, does, run}`; a key is written as in `KeyboardEvent.key`, letters small, `Mod+` meaning Ctrl or Cmd.
 * A `run` that answers false leaves the key to the browser.
 */
export function listen(table) {
  const runs = new Map(table.flatMap(({ entries }) => entries).filter(({ run }) => run).flatMap(({ keys, run }) => keys.map((key) => [key, run])));
  addEventListener('keydown', (event) => {
    const mod = event.ctrlKey || event.metaKey;
    if (event.altKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (event.target.matches('input, textarea, select') && !(mod && event.key === 'Enter')) return;
    if (!mod && event.key.length === 1 && localStorage.getItem(OFF) === 'off') return;
    const run = runs.get(name(event, mod));
    if (run && run(event) !== false) event.preventDefault();
  });
  describe(table);
}

/** Letters by Shift and not by case, so that Caps Lock changes nothing. */
function name(event, mod) {
  const letter = /^\p{L}$/u.test(event.key);
  return (mod ? 'Mod+' : '') + (letter && event.shiftKey ? 'Shift+' : '') + (letter ? event.key.toLowerCase() : event.key);
}

function describe(table) {
  $('keys').replaceChildren(...table.map(({ title, entries }) => h('section', {},
    h('h3', {}, title),
    h('dl', {}, entries.map(({ shown, does }) => h('div', {}, h('dt', {}, shown.map((key) => h('kbd', {}, key))), h('dd', {}, does)))))));
  const on = $('keys-on');
  on.checked = localStorage.getItem(OFF) !== 'off';
  on.addEventListener('change', () => localStorage.setItem(OFF, on.checked ? 'on' : 'off'));
}

const help = closable($('help'));
export const showHelp = () => help.showModal();
