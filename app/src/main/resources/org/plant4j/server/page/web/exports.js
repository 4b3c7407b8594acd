// The export menu: files and the clipboard.

import { api } from './api.js';
import { csv } from './csv.js';
import { $, download, h } from './dom.js';
import { notify } from './notices.js';

function toCsv(review) {
  const rows = review.final.map(({ code, description, from = '', decision }) => [code, description, decision.decision, from, decision.presence ?? '']);
  return csv([['code', 'description', 'decision', 'from', 'present_on_admission'], ...rows]);
}

/** Opens the menu and moves the focus into it at once, so that the next key press reaches it. */
export function openExportMenu() {
  $('export-menu').showPopover();
  $('export-menu').querySelector('button:enabled').focus();
}

/** `toRequest()` returns the review as it would be submitted. */
export function fillExportMenu(review, toRequest) {
  const menu = $('export-menu');
  const item = (title, hint, run) => h('button', { type: 'button', onclick: async () => {
    menu.hidePopover();
    try {
      await run();
    } catch (error) {
      notify(error.message + (error.remedy ? ': ' + error.remedy : ''), { error: true });
    }
  } }, h('strong', {}, title), h('span', { class: 'muted' }, hint));
  const reviewItems = [
    item('Codes as CSV', 'in order, with present on admission', () => download('codes.csv', 'text/csv', toCsv(review))),
    item('This review as JSON', 'suggestions and decisions', () => download('review.json', 'application/json', JSON.stringify(toRequest(), null, 2) + '\n')),
    item('Copy codes', 'one per line', async () => {
      await navigator.clipboard.writeText(review.final.map(({ code }) => code).join('\n'));
      notify('Codes copied.');
    }),
  ];
  const corpusItem = item('All reviews as a corpus', 'for training, with code set; administrators only', async () =>
    download('reviews.zip', 'application/zip', await api.exportReviews()));
  menu.replaceChildren(...reviewItems, h('div', { id: 'export-reviews' }, h('hr'), corpusItem));
  menu.addEventListener('beforetoggle', () => reviewItems.forEach((button) => { button.disabled = review.final.length === 0; }));
  menu.addEventListener('keydown', (event) => {
    const buttons = [...menu.querySelectorAll('button:enabled')].filter((button) => button.checkVisibility());
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
  });
}
