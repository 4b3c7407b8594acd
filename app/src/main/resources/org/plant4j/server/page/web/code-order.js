// The assigned codes in their order, the principal diagnosis first, with their present-on-admission flags. The order changes
// by dragging a handle, or with the arrow keys on it.

import { $, h, plural } from './dom.js';
import { PRESENCE } from './presence.js';

let restore = null;

/** Reads a text aloud. A modal dialog hides the page's own live region. */
const announce = (text) => { $('order-live').textContent = text; };

const place = (review, code) => review.final.findIndex((each) => each.code === code);

function announcePlace(review, code) {
  const at = place(review, code);
  announce(code + (at === 0 ? ' is the principal diagnosis' : ' is number ' + (at + 1)) + ' of ' + plural(review.final.length, 'code'));
}

/** Moves a code and keeps the focus on its handle; the list is built again by the change. */
function move(review, code, to) {
  const last = review.final.length - 1;
  restore = { code, control: 'handle' };
  review.moveTo(code, Math.min(Math.max(to, 0), last));
  announcePlace(review, code);
}

export function cyclePresence(review, code) {
  review.cyclePresence(code);
  return PRESENCE[review.presence(code) ?? ''];
}

/** The list; `review` changes by its controls, and the caller then builds it again. */
export function orderList(review) {
  const list = h('ol', { class: 'summary order', id: 'order', 'aria-label': 'Codes in order' }, review.final.map((entry, i) => item(review, entry, i)));
  queueMicrotask(() => {
    if (restore) list.querySelector(`[data-code="${CSS.escape(restore.code)}"] .${restore.control}`)?.focus();
    restore = null;
  });
  return list;
}

function item(review, { code, description, from, decision }, i) {
  const handle = h('button', { class: 'handle', type: 'button', 'aria-label': 'Move ' + code + ', number ' + (i + 1), 'aria-describedby': 'order-hint' }, '⠿');
  const row = h('li', { 'data-code': code },
    handle,
    h('span', { class: 'place number' }, String(i + 1)),
    h('span', { class: 'code mono' }, code),
    h('span', { class: 'description', dir: 'auto' }, description, i === 0 && h('span', { class: 'tag suggest' }, 'principal'),
      decision.decision !== 'accepted' && h('span', { class: 'tag' }, from ? 'replaces ' + from : decision.decision)),
    presenceButton(review, code));
  handle.addEventListener('keydown', (event) => moveByKey(event, review, code));
  handle.addEventListener('pointerdown', (event) => drag(event, review, code, row));
  return row;
}

function presenceButton(review, code) {
  const value = review.presence(code);
  const { text } = PRESENCE[value ?? ''];
  return h('button', { class: 'presence', type: 'button', title: 'Present on admission: ' + text, 'aria-label': 'POA ' + (value ?? '–') + ', present on admission of ' + code + ': ' + text, onclick: () => {
    restore = { code, control: 'presence' };
    announce(code + ', present on admission: ' + cyclePresence(review, code).text);
  } }, 'POA ', h('b', {}, value ?? '–'));
}

function moveByKey(event, review, code) {
  const at = place(review, code);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: review.final.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  move(review, code, to);
}

/** Moves the row with the pointer, and the code when the pointer is released. */
function drag(event, review, code, row) {
  event.preventDefault();
  const list = row.parentElement;
  const handle = event.currentTarget;
  handle.setPointerCapture(event.pointerId);
  row.classList.add('dragged');
  // The other rows move around the dragged one: moved itself, it would lose the pointer.
  const follow = ({ clientY }) => {
    while (row.previousElementSibling && clientY < middle(row.previousElementSibling)) row.after(row.previousElementSibling);
    while (row.nextElementSibling && clientY > middle(row.nextElementSibling)) row.before(row.nextElementSibling);
  };
  const finish = () => {
    handle.removeEventListener('pointermove', follow);
    row.classList.remove('dragged');
    move(review, code, [...list.children].indexOf(row));
  };
  handle.addEventListener('pointermove', follow);
  handle.addEventListener('lostpointercapture', finish, { once: true });
}

function middle(element) {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
}
