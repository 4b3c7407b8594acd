// Submits a review exactly once, even if a response is lost.

import { api } from './api.js';
import { orderList } from './code-order.js';
import { $, closable, h, plural } from './dom.js';
import { showEdits } from './edits.js';

const dialog = closable($('submit-dialog'));

/** A new idempotency key. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reuses the idempotency key while the same review of a document is retried. */
export class Submission {
  #pending = new Map();

  async send(request, options) {
    const { id } = request.encounter;
    const body = JSON.stringify({ ...request, seconds: undefined }); // the time differs between attempts
    if (this.#pending.get(id)?.body !== body) this.#pending.set(id, { body, request, key: newKey() });
    const pending = this.#pending.get(id);
    const receipt = await api.submit(pending.request, pending.key, options);
    this.#pending.delete(id);
    return receipt;
  }
}

/** Shows a summary of the review with its code edits for a day, if there is one; resolves to whether the coder confirmed it. */
export function confirmSubmission(review, undecided, date) {
  const update = () => {
    showSummary(review, undecided());
    showEdits(review, date);
  };
  update();
  review.addEventListener('change', update);
  return new Promise((resolve) => {
    dialog.returnValue = '';
    dialog.addEventListener('close', () => {
      review.removeEventListener('change', update);
      resolve(dialog.returnValue === 'submit');
    }, { once: true });
    dialog.showModal();
    $('submit-confirm').focus();
  });
}

function showSummary(review, undecided) {
  const final = review.final;
  const rejected = review.decisions.filter(([, { decision }]) => decision === 'rejected').length;
  $('submit-summary').replaceChildren(
    h('p', { class: 'summary-line' }, h('strong', {}, plural(final.length, 'code')), ' kept, ', plural(rejected, 'suggestion'), ' rejected.'),
    ...(undecided.length > 0 ? [h('p', { class: 'warning' }, plural(undecided.length, 'code'), undecided.length === 1 ? ' is' : ' are', ' undecided and will not be kept: ', h('span', { class: 'mono' }, undecided.slice(0, 8).join(', ') + (undecided.length > 8 ? ' …' : '')))] : []),
    orderList(review));
}
