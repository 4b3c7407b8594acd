// The sign-in dialog. Asks once, however many requests wait for it.

import { h } from './dom.js';

let pending = null;

/**
 * Resolves to the token that was entered, or to null if the server may know the user by a session now.
 * `rejected`: whether the previous token was rejected; `expired`: whether a session has ended while the page was in use.
 */
export function signIn({ rejected, expired }) {
  pending ??= ask(rejected, expired).finally(() => { pending = null; });
  return pending;
}

async function ask(rejected, expired) {
  const { provider } = await fetch('api/login').then((response) => response.json()).catch(() => ({}));
  return show((close) => (provider && !rejected ? providerForm(expired, close) : tokenForm(rejected)));
}

/** Shows a form that `build` makes; resolves when it is closed. */
function show(build) {
  return new Promise((resolve) => {
    const dialog = h('dialog', { id: 'signin', class: 'small', 'aria-labelledby': 'signin-title' });
    const { form, value } = build(() => dialog.close());
    dialog.append(form);
    dialog.addEventListener('cancel', (event) => event.preventDefault());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(value());
    });
    document.body.append(dialog);
    dialog.showModal();
    (form.querySelector('input') ?? form.querySelector('a')).focus();
  });
}

/** If the page was in use, the provider opens in another tab, and the work here is kept. */
function providerForm(expired, close) {
  const page = '/' + location.pathname.split('/').pop();
  const link = h('a', {
    class: 'button primary', id: 'signin-provider', href: 'login?return=' + encodeURIComponent(page), ...(expired && { target: '_blank' }),
  }, 'Sign in');
  if (expired) addEventListener('focus', close, { once: true });
  return {
    value: () => null,
    form: h('form', { method: 'dialog' },
      h('div', { class: 'dialog-head' }, h('h2', { id: 'signin-title' }, expired ? 'Your session has ended' : 'Sign in')),
      h('div', { class: 'dialog-body' }, h('p', { class: 'muted' }, expired
        ? 'Sign in again in a new tab, then come back. Your work in this window is kept.'
        : 'You need an account of your organization.')),
      h('div', { class: 'dialog-foot' }, link)),
  };
}

function tokenForm(rejected) {
  const field = h('input', { class: 'field mono', id: 'token', type: 'password', autocomplete: 'off', required: true });
  return {
    value: () => field.value.trim(),
    form: h('form', { method: 'dialog' },
      h('div', { class: 'dialog-head' }, h('h2', { id: 'signin-title' }, 'Sign in')),
      h('div', { class: 'dialog-body' },
        h('p', { class: 'muted' }, 'Enter your access token. An administrator creates one with ', h('span', { class: 'mono' }, 'plant token create'), '.'),
        h('label', { class: 'label', for: 'token' }, 'Token'),
        field,
        rejected && h('p', { class: 'error-message', role: 'alert' }, 'This token is not valid. Check it for typos, or ask for a new one.')),
      h('div', { class: 'dialog-foot' }, h('button', { class: 'button primary', type: 'submit' }, 'Sign in'))),
  };
}
