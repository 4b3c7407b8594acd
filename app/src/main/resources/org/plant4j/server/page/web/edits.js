// Code edits in the submit dialog: why codes do not fit together, with one key to resolve each.

import { ApiError, api } from './api.js';
import { $, h, keycap } from './dom.js';

const MAX_KEYS = 9;
const WORDS = { replace: 'Use', remove: 'Remove', add: 'Add', 'move-before': 'Put first:' };

let request = 0;
let resolvers = [];

/** Requests the edits of the assigned codes for the day of the encounter, if it has one, and shows them. The server checks them again when it stores the review. */
export async function showEdits(review, date) {
  const current = ++request;
  try {
    const rejected = (code) => review.decision(code)?.decision === 'rejected';
    const suggested = review.suggestions.filter(({ code, band }) => band !== 'hidden' && !rejected(code)).map(({ code }) => code);
    const { edits } = await api.edits({ codes: review.final.map(({ code }) => code), suggested, date });
    if (current === request) render(review, edits);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (current === request) render(review, []);
  }
}

function render(review, edits) {
  resolvers = [];
  $('edits').replaceChildren(...edits.map((edit) => h('li', { class: edit.blocks ? 'edit blocks' : 'edit' },
    h('p', {}, edit.reason),
    h('div', { class: 'edit-actions' }, edit.resolutions.slice(0, 3).map((resolution) => action(review, resolution))))));
  $('edits').hidden = edits.length === 0;
  blocked = edits.some(({ blocks }) => blocks);
  requireComment();
}

function action(review, resolution) {
  const { action: kind, code, with: other } = resolution;
  const run = () => apply(review, resolution);
  resolvers.push(run);
  const key = resolvers.length <= MAX_KEYS && keycap(String(resolvers.length));
  return h('button', { class: 'button', type: 'button', onclick: run }, WORDS[kind] + ' ', h('span', { class: 'mono' }, kind === 'replace' ? other : code), ' ', key);
}

async function apply(review, { action: kind, code, with: other }) {
  if (kind === 'remove') review.drop(code);
  else if (kind === 'move-before') review.moveBefore(code, other);
  else {
    const chosen = await api.lookUp(kind === 'replace' ? other : code);
    if (kind === 'replace') review.replace(review.changedFrom(code) ?? code, chosen);
    else review.add(chosen);
  }
}

let blocked = false;

/** Codes that cannot be billed need a comment. */
function requireComment() {
  const missing = blocked && $('comment').value.trim() === '';
  $('submit-confirm').disabled = missing;
  $('comment-hint').hidden = !blocked;
}

$('comment').addEventListener('input', requireComment);
$('submit-dialog').addEventListener('keydown', (event) => {
  const run = resolvers[Number(event.key) - 1];
  if (!run || event.target.matches('textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  run();
});
