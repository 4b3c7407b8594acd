// Short words to the coder: seen at the foot of the page, heard by a screen reader.

import { $, h } from './dom.js';

export function announce(text) {
  $('live').textContent = '';
  requestAnimationFrame(() => { $('live').textContent = text; });
}

/** A passing remark, with an action where one helps. */
export function notify(text, { bad = false, action, seconds = 5 } = {}) {
  const notice = h('div', { class: bad ? 'notice bad' : 'notice', role: bad ? 'alert' : 'status' }, h('span', {}, text));
  if (action) notice.append(h('button', { type: 'button', onclick: () => { notice.remove(); action.run(); } }, action.label));
  $('notices').replaceChildren(notice);
  setTimeout(() => notice.remove(), seconds * 1000);
}

/** An error that stands in the way until it is mended; null takes it away. */
export function alertWith(error, actions = []) {
  const alert = $('alert');
  alert.hidden = error === null;
  if (error === null) return;
  alert.className = error.status === 429 ? 'alert waiting' : 'alert';
  alert.replaceChildren(
    h('div', {}, h('strong', {}, error.message), error.remedy && h('p', {}, error.remedy), error.where && h('p', { class: 'mono muted' }, error.where)),
    ...actions.map(({ label, run }) => h('button', { class: 'button', type: 'button', onclick: run }, label)));
}
