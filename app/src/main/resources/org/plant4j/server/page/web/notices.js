// Messages to the coder: notices at the bottom, an alert above the codes, and a live region for screen readers.

import { $, h } from './dom.js';

/** Reads a text aloud with a screen reader. */
export function announce(text) {
  $('live').textContent = '';
  requestAnimationFrame(() => { $('live').textContent = text; });
}

/** Shows a temporary message, optionally with an action. */
export function notify(text, { error = false, action, seconds = 5 } = {}) {
  const notice = h('div', { class: error ? 'notice error' : 'notice', role: error ? 'alert' : 'status' }, h('span', {}, text));
  if (action) notice.append(h('button', { type: 'button', onclick: () => { notice.remove(); action.run(); } }, action.label));
  $('notices').replaceChildren(notice);
  setTimeout(() => notice.remove(), seconds * 1000);
}

/** Warns that the note is out of domain, as long as it is open; null removes the warning. */
export function showBanner(reason) {
  $('banner').hidden = reason === null;
  $('banner').replaceChildren(...(reason === null ? [] : [
    h('strong', {}, 'This text does not resemble the documents the model was trained on.'),
    h('p', {}, reason, ' Codes are for review only.')]));
}

/** Shows an error until it is resolved; null removes it. */
export function showAlert(error, actions = []) {
  const alert = $('alert');
  alert.hidden = error === null;
  if (error === null) return;
  alert.className = error.status === 429 ? 'alert busy' : 'alert';
  alert.replaceChildren(
    h('div', {}, h('strong', {}, error.message), error.remedy && h('p', {}, error.remedy), error.where && h('p', { class: 'mono muted' }, error.where)),
    ...actions.map(({ label, run }) => h('button', { class: 'button', type: 'button', onclick: run }, label)));
}
