// The card next to selected words: codes whose evidence overlaps the selection, and actions for it.

import { h, keycap, percent, probability } from './dom.js';

const MAX_CODES = 6;
const MAX_TEXT = 70;

/** Codes whose evidence overlaps a span with the overlapping weight, ordered by weight times probability. */
export function codesFor(span, codes) {
  const overlap = ({ document: id, start, end, weight }) =>
    id === span.document ? (weight * Math.max(0, Math.min(end, span.end) - Math.max(start, span.start))) / (end - start) : 0;
  return codes
    .map((code) => ({ code, weight: (code.evidence ?? []).reduce((sum, evidence) => sum + overlap(evidence), 0) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight * b.code.probability - a.weight * a.code.probability);
}

/** Emits `choose` with a code, `add` and `mark` with the span. */
export class SelectionCard extends EventTarget {
  #card;
  #span = null;

  constructor(card) {
    super();
    this.#card = card;
    card.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.hide();
    });
  }

  get span() {
    return this.#span;
  }

  show(span, matches, activeCode) {
    this.#span = span;
    const emit = (type, detail) => () => {
      this.hide();
      this.dispatchEvent(new CustomEvent(type, { detail }));
    };
    this.#card.replaceChildren(
      h('p', { class: 'selection-text' }, '“', span.text.length > MAX_TEXT ? span.text.slice(0, MAX_TEXT - 2).trimEnd() + ' …' : span.text, '”'),
      matches.length > 0
        ? h('ul', {}, matches.slice(0, MAX_CODES).map(({ code, weight }) => h('li', {}, h('button', { type: 'button', onclick: emit('choose', code.code) },
          h('span', { class: 'code mono' }, code.code),
          h('span', { class: 'description' }, code.description),
          h('span', { class: 'muted number' }, probability(code.probability)),
          h('span', { class: 'meter', title: 'Weight ' + percent(weight), vars: { '--share': Math.min(1, weight), '--meter': 'var(--mark-current)' } })))))
        : h('p', { class: 'muted' }, 'These words are not evidence for any code.'),
      h('div', { class: 'selection-actions' },
        h('button', { class: 'button', type: 'button', onclick: emit('add', span) }, 'Add code ', keycap('/')),
        activeCode && h('button', { class: 'button', type: 'button', onclick: emit('mark', span) }, 'Mark for ' + activeCode + ' ', keycap('M'))));
    this.#card.hidden = false;
    this.#position(span.rectangle);
  }

  /** Places the card below the words, or above them if there is no space below. */
  #position(rectangle) {
    const pane = this.#card.offsetParent.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#card;
    const left = Math.min(Math.max(rectangle.left - pane.left, 12), pane.width - width - 20);
    const below = rectangle.bottom - pane.top + 8;
    const top = below + height < pane.height - 8 ? below : Math.max(8, rectangle.top - pane.top - height - 8);
    this.#card.style.left = left + 'px';
    this.#card.style.top = top + 'px';
  }

  get focused() {
    return this.#card.contains(document.activeElement);
  }

  focus() {
    this.#card.querySelector('button')?.focus();
  }

  hide() {
    this.#span = null;
    this.#card.hidden = true;
  }
}
