// Handing a review in: once, even where the answer got lost on the way.

import { api } from './server.js';
import { $, closable, h, plural } from './dom.js';

const dialog = closable($('submit-dialog'));

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Keeps one idempotency key as long as the same review is tried again. */
export class Submission {
  #key = null;
  #body = '';

  async send(request, options) {
    const body = JSON.stringify(request);
    if (body !== this.#body) {
      this.#key = newKey();
      this.#body = body;
    }
    return api.submit(request, this.#key, options);
  }
}

/** Shows what would be handed in, and asks whether it shall be. */
export function confirmSubmission(review, undecided) {
  const final = review.final;
  const rejected = review.decisions.filter(([, { decision }]) => decision === 'rejected').length;
  $('submit-summary').replaceChildren(
    h('p', { class: 'summary-line' }, h('strong', {}, plural(final.length, 'code')), ' kept, ', plural(rejected, 'suggestion'), ' rejected.'),
    ...(undecided.length > 0 ? [h('p', { class: 'remark' }, plural(undecided.length, 'code'), undecided.length === 1 ? ' is' : ' are', ' undecided and will not be kept: ', h('span', { class: 'mono' }, undecided.slice(0, 8).join(', ') + (undecided.length > 8 ? ' …' : '')))] : []),
    h('ul', { class: 'summary' }, final.map(({ code, description, from, decision }) => h('li', {},
      h('span', { class: 'code mono' }, code), h('span', { class: 'description' }, description),
      decision.decision !== 'accepted' && h('span', { class: 'tag' }, from ? 'instead of ' + from : decision.decision)))));
  return new Promise((resolve) => {
    dialog.returnValue = '';
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'submit'), { once: true });
    dialog.showModal();
    $('submit-confirm').focus();
  });
}
