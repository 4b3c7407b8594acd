// Keyboard shortcuts: one table drives both the key handler and the help dialog.

import { $, closable, h } from './dom.js';

const SETTING = 'plant4j.keys';

/**
 * `table`: groups of `{keys, shown, label, run}`. Keys are written as in `KeyboardEvent.key`, letters in lower case; `Mod+` is
 * Ctrl or Cmd. If `run` returns false, the browser handles the key.
 */
export function bindShortcuts(table) {
  const actions = new Map(table.flatMap(({ entries }) => entries).filter(({ run }) => run).flatMap(({ keys, run }) => keys.map((key) => [key, run])));
  addEventListener('keydown', (event) => {
    const mod = event.ctrlKey || event.metaKey;
    if (event.altKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (event.target.matches('input, textarea, select') && !(mod && event.key === 'Enter')) return;
    if (!mod && event.key.length === 1 && localStorage.getItem(SETTING) === 'off') return;
    const run = actions.get(keyName(event, mod));
    if (run && run(event) !== false) event.preventDefault();
  });
  fillHelp(table);
}

/** Uses the Shift key and not the letter's case, so that Caps Lock changes nothing. */
function keyName(event, mod) {
  const letter = /^\p{L}$/u.test(event.key);
  return (mod ? 'Mod+' : '') + (letter && event.shiftKey ? 'Shift+' : '') + (letter ? event.key.toLowerCase() : event.key);
}

function fillHelp(table) {
  $('keys').replaceChildren(...table.map(({ title, entries }) => h('section', {},
    h('h3', {}, title),
    h('dl', {}, entries.map(({ shown, label }) => h('div', {}, h('dt', {}, shown.map((key) => h('kbd', {}, key))), h('dd', {}, label)))))));
  const enabled = $('shortcuts-enabled');
  enabled.checked = localStorage.getItem(SETTING) !== 'off';
  enabled.addEventListener('change', () => localStorage.setItem(SETTING, enabled.checked ? 'on' : 'off'));
}

const help = closable($('help'));
export const showHelp = () => help.showModal();
