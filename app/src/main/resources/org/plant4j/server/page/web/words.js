// The card beside selected words: which codes they speak for, and what to do with them.

import { h, keycap, percent, probability } from './dom.js';

const MOST = 6;

/** The codes whose evidence overlaps a span, each with the weight that falls on it; first those that are likely and lean on it most. */
export function codesFor(span, codes) {
  const shared = ({ note, start, end, weight }) =>
    note === span.note ? (weight * Math.max(0, Math.min(end, span.end) - Math.max(start, span.start))) / (end - start) : 0;
  return codes
    .map((code) => ({ code, weight: (code.evidence ?? []).reduce((sum, piece) => sum + shared(piece), 0) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight * b.code.probability - a.weight * a.code.probability);
}

/** Tells `choose` with a code, `add` and `mark` with the span. */
export class WordsCard extends EventTarget {
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

  show(span, speaking, active) {
    this.#span = span;
    const tell = (type, detail) => () => {
      this.hide();
      this.dispatchEvent(new CustomEvent(type, { detail }));
    };
    this.#card.replaceChildren(
      h('p', { class: 'words-text' }, '“', span.text.length > 70 ? span.text.slice(0, 68).trimEnd() + ' …' : span.text, '”'),
      speaking.length > 0
        ? h('ul', {}, speaking.slice(0, MOST).map(({ code, weight }) => h('li', {}, h('button', { type: 'button', onclick: tell('choose', code.code) },
          h('span', { class: 'code mono' }, code.code),
          h('span', { class: 'description' }, code.description),
          h('span', { class: 'muted number' }, probability(code.probability)),
          h('span', { class: 'meter', title: 'Weight ' + percent(weight), vars: { '--share': Math.min(1, weight), '--meter': 'var(--mark-now)' } })))))
        : h('p', { class: 'muted' }, 'The model took these words as evidence for no code.'),
      h('div', { class: 'words-actions' },
        h('button', { class: 'button', type: 'button', onclick: tell('add', span) }, 'Add a code ', keycap('/')),
        active && h('button', { class: 'button', type: 'button', onclick: tell('mark', span) }, 'Mark for ' + active + ' ', keycap('M'))));
    this.#card.hidden = false;
    this.#put(span.rectangle);
  }

  /** Below the words, or above where there is no room. */
  #put(rectangle) {
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
