// Second reviews: a reviewer sees what a coder assigned, agrees with one key, or changes codes with a comment for each.

import { api } from './api.js';
import { $, closable, h, keycap } from './dom.js';

/** The codes that a stored review assigns. */
export const assigned = ({ decisions }) => decisions.filter(({ decision }) => decision !== 'rejected').map(({ code }) => code);

/** The decisions of a stored review in the form of the page; codes that are not suggested count as added. */
export async function toDecisions({ decisions }, suggested) {
  const isSuggested = (code) => suggested.some((each) => each.code === code);
  const describe = async (code) => (await api.lookUp(code).catch(() => ({ description: '' }))).description;
  const entries = await Promise.all(decisions.map(async ({ code, decision, from, evidence = [] }) => {
    const marked = evidence.length > 0 ? { evidence } : {};
    if (decision === 'rejected') return isSuggested(code) ? [code, { decision }] : null;
    if (decision === 'changed' && isSuggested(from)) return [from, { decision, to: { code, description: await describe(code) }, ...marked }];
    return isSuggested(code) ? [code, { decision: 'accepted', ...marked }] : [code, { decision: 'added', description: await describe(code), ...marked }];
  }));
  return entries.filter(Boolean);
}

/** What the final codes change in the codes of the first review: `{first, second}`, one of them missing if a code is added or removed. */
export function changesOf(first, final) {
  const kept = new Set(final.map(({ code }) => code));
  const replaced = new Set();
  const changes = final.filter(({ code }) => !first.includes(code)).map(({ code, from }) => {
    if (!from || !first.includes(from) || kept.has(from)) return { second: code };
    replaced.add(from);
    return { first: from, second: code };
  });
  return [...changes, ...first.filter((code) => !kept.has(code) && !replaced.has(code)).map((code) => ({ first: code }))];
}

/** Shows whose codes are reviewed, with a button to agree; null hides it. */
export function showSecondReview(encounter, onAgree) {
  $('second-review')?.remove();
  if (!encounter) return;
  const banner = h('section', { class: 'second-review', id: 'second-review', 'aria-label': 'Second review' },
    h('p', {}, h('strong', {}, 'Second review. '), encounter.coder + ' assigned ' + assigned(encounter.firstReview).join(', ') + '.'),
    h('button', { class: 'button', type: 'button', id: 'agree-button', onclick: onAgree }, 'Agree ', keycap('V')));
  $('code-list').before(banner);
}

/** Asks for a comment on each change; resolves to the changes with comments, or to null if the reviewer cancels. */
export function explainChanges(changes) {
  return new Promise((resolve) => {
    const name = ({ first, second }) => (first ? (second ? first + ' → ' + second : 'Remove ' + first) : 'Add ' + second);
    const fields = changes.map(() => h('input', { class: 'field', type: 'text', maxlength: '200', required: true, placeholder: 'Why?' }));
    changes.forEach((change, i) => fields[i].setAttribute('aria-label', 'Comment on ' + name(change)));
    const dialog = closable(h('dialog', { id: 'second-dialog', 'aria-labelledby': 'second-title' }, h('form', { method: 'dialog' },
      h('div', { class: 'dialog-head' }, h('h2', { id: 'second-title' }, 'Submit second review')),
      h('div', { class: 'dialog-body' }, h('p', {}, 'Explain each change. The first review is kept, and the coder can read your comments.'),
        changes.map((change, i) => h('div', { class: 'change-row' }, h('strong', { class: 'mono' }, name(change)), fields[i]))),
      h('div', { class: 'dialog-foot' }, h('button', { class: 'button', type: 'button', 'data-close': true }, 'Cancel'),
        h('button', { class: 'button primary', type: 'submit', value: 'submit', id: 'second-confirm' }, 'Submit')))));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'submit' ? changes.map((change, i) => ({ ...change, comment: fields[i].value.trim() })) : null);
    });
    document.body.append(dialog);
    dialog.showModal();
    fields[0].focus();
  });
}
