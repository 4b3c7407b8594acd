// The sign-in panel: asks for a token once, however many requests wait for it.

import { h } from './dom.js';

let pending = null;

/** The token the person typed; `refused` says that the last one was not taken. */
export function signIn(refused) {
  pending ??= ask(refused).finally(() => { pending = null; });
  return pending;
}

function ask(refused) {
  return new Promise((resolve) => {
    const field = h('input', { class: 'field mono', id: 'token', type: 'password', autocomplete: 'off', required: true });
    const form = h('form', { method: 'dialog' },
      h('div', { class: 'dialog-head' }, h('h2', { id: 'signin-title' }, 'Sign in')),
      h('div', { class: 'dialog-body' },
        h('p', { class: 'muted' }, 'This desk asks for a token. Your administrator makes one with ', h('span', { class: 'mono' }, 'plant token'), '.'),
        h('label', { class: 'label', for: 'token' }, 'Token'),
        field,
        refused && h('p', { class: 'fault', role: 'alert' }, 'That token was not taken: it is mistyped or withdrawn.')),
      h('div', { class: 'dialog-foot' }, h('button', { class: 'button primary', type: 'submit' }, 'Sign in')));
    const dialog = h('dialog', { id: 'signin', class: 'small', 'aria-labelledby': 'signin-title' }, form);
    dialog.addEventListener('cancel', (event) => event.preventDefault());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(field.value.trim());
    });
    document.body.append(dialog);
    dialog.showModal();
    field.focus();
  });
}
