// What leaves the desk as a file or on the clipboard.

import { api } from './server.js';
import { $, h, saveAs } from './dom.js';
import { notify } from './notices.js';

const cell = (value) => (/[",\n]/.test(value) ? '"' + value.replaceAll('"', '""') + '"' : value);

function asCsv(review) {
  const rows = review.final.map(({ code, description, from = '', decision }) => [code, description, decision.decision, from]);
  return [['code', 'description', 'decision', 'from'], ...rows].map((row) => row.map(cell).join(',')).join('\n') + '\n';
}

/** Open and with the keyboard in it at once, so that no key pressed meanwhile goes elsewhere. */
export function openExportMenu() {
  $('export-menu').showPopover();
  $('export-menu').querySelector('button:enabled').focus();
}

/** `request()` is the review as it would be submitted. */
export function fillExportMenu(review, request) {
  const menu = $('export-menu');
  const entry = (title, remark, run) => h('button', { type: 'button', onclick: async () => {
    menu.hidePopover();
    try {
      await run();
    } catch (error) {
      notify(error.message + (error.remedy ? ': ' + error.remedy : ''), { bad: true });
    }
  } }, h('strong', {}, title), h('span', { class: 'muted' }, remark));
  const own = [
    entry('Codes as CSV', 'code, description, decision', () => saveAs('codes.csv', 'text/csv', asCsv(review))),
    entry('This review as JSON', 'what was shown and decided', () => saveAs('review.json', 'application/json', JSON.stringify(request(), null, 2) + '\n')),
    entry('Copy the codes', 'one a line', async () => {
      await navigator.clipboard.writeText(review.final.map(({ code }) => code).join('\n'));
      notify('Codes copied.');
    }),
  ];
  const all = entry('All reviews as a corpus', 'JSON lines to train on, for administrators', async () =>
    saveAs('reviews.jsonl', 'application/x-ndjson', await api.exportReviews()));
  menu.replaceChildren(...own, h('hr'), all);
  menu.addEventListener('beforetoggle', () => own.forEach((button) => { button.disabled = review.final.length === 0; }));
  menu.addEventListener('keydown', (event) => {
    const buttons = [...menu.querySelectorAll('button:enabled')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
  });
}
