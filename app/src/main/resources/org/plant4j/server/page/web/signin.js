// The sign-in dialog. Asks for a token once, however many requests wait for it.

import { h } from './dom.js';

let pending = null;

/** Resolves to the token that was entered; `rejected`: whether the previous one was rejected. */
export function signIn(rejected) {
  pending ??= askForToken(rejected).finally(() => { pending = null; });
  return pending;
}

function askForToken(rejected) {
  return new Promise((resolve) => {
    const field = h('input', { class: 'field mono', id: 'token', type: 'password', autocomplete: 'off', required: true });
    const form = h('form', { method: 'dialog' },
      h('div', { class: 'dialog-head' }, h('h2', { id: 'signin-title' }, 'Sign in')),
      h('div', { class: 'dialog-body' },
        h('p', { class: 'muted' }, 'Enter your access token. An administrator creates one with ', h('span', { class: 'mono' }, 'plant token create'), '.'),
        h('label', { class: 'label', for: 'token' }, 'Token'),
        field,
        rejected && h('p', { class: 'error-message', role: 'alert' }, 'This token is not valid. Check it for typos, or ask for a new one.')),
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
