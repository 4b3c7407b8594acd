// The code looked at: what it means, what in the note speaks for it, and its neighbours in the code book.

import { api } from './server.js';
import { debounce, h, icon, keycap, percent, probability } from './dom.js';
import { marked, viewLine } from './why.js';

const NEIGHBOURS = 6;

/** Tells `piece` with the index of a piece of evidence, `step` with a direction, `replace` with a neighbouring code, and `change`. */
export class Inspector extends EventTarget {
  #root;
  #view;
  #entries = new Map();
  #code = null;
  #pieces = [];
  #walker = h('span', { class: 'walker' });
  #family = h('div', { class: 'family' });
  #path = h('p', { class: 'path' });
  #description = h('p', { class: 'inspector-description' });
  #chosen = h('p', { class: 'path', hidden: true });
  #meaning = '';
  #fetch = debounce(120, (code) => this.#load(code));

  constructor(root, view) {
    super();
    this.#root = root;
    this.#view = view;
  }

  hide() {
    this.#code = null;
    this.#root.hidden = true;
  }

  /** Whether codes come with the view they chose: then its line is kept free until it is known. */
  set showsViews(shows) {
    this.#chosen.hidden = !shows;
  }

  /** A suggested or added code with its pieces of evidence, in the order they are walked. */
  show({ code, description, probability: p, band }, pieces) {
    this.#code = code;
    const heaviest = Math.max(...pieces.map(({ weight }) => weight ?? 0), Number.MIN_VALUE);
    this.#pieces = pieces.map((span, i) => this.#piece(span, i, heaviest));
    this.#family.hidden = true;
    this.#path.replaceChildren('\u00a0');
    this.#meaning = description;
    this.#description.replaceChildren(description);
    this.#chosen.replaceChildren('\u00a0');
    this.#root.hidden = false;
    this.#root.replaceChildren(
      h('header', {},
        h('div', { class: 'inspector-title' },
          h('span', { class: 'code mono' }, code),
          band && h('span', { class: 'tag ' + band }, { suggest: 'suggested', review: 'needs review', hidden: 'less likely' }[band]),
          p !== undefined && h('span', { class: 'muted number' }, probability(p)),
          h('button', { class: 'button push', type: 'button', onclick: () => this.#tell('change') }, icon('change'), 'Change ', keycap('C'))),
        this.#description,
        this.#path,
        this.#chosen),
      h('div', { class: 'inspector-body' },
        h('div', { class: 'evidence' },
          h('h3', {}, 'Evidence', this.#walker),
          pieces.length > 0 ? h('ol', {}, this.#pieces) : h('p', { class: 'muted' }, 'No words are marked for this code. Select some in the note and press M.')),
        this.#family));
    this.#fetch(code);
  }

  /** What the model tells of the code shown, beside its evidence in the note. */
  explain({ description, inDescription, view }) {
    if (inDescription && description === this.#meaning) this.#description.replaceChildren(...marked(description, inDescription));
    if (view) this.#chosen.replaceChildren(...viewLine(view));
  }

  #piece(span, i, heaviest) {
    const { before, words, after } = this.#view.context(span);
    const title = this.#view.title(span.note);
    return h('li', {}, h('button', { type: 'button', onclick: () => this.#tell('piece', i) },
      span.weight === undefined ? h('span', { class: 'tag' }, 'yours') : h('span', { class: 'meter', title: 'Weight ' + percent(span.weight), vars: { '--share': span.weight / heaviest, '--meter': 'var(--mark-now)' } }),
      h('span', { class: 'snippet' }, title && h('span', { class: 'tag' }, title), ' … ', before, h('mark', {}, words), after, ' …')));
  }

  /** Which piece is lit, or none. */
  walkTo(index) {
    this.#pieces.forEach((piece, i) => {
      if (i === index) piece.firstChild.setAttribute('aria-current', 'true');
      else piece.firstChild.removeAttribute('aria-current');
    });
    this.#pieces[index]?.scrollIntoView({ block: 'nearest' });
    const step = (by, name, label) => h('button', { type: 'button', 'aria-label': label, title: label, onclick: () => this.#tell('step', by) }, icon(name));
    this.#walker.replaceChildren(...(this.#pieces.length === 0 ? [] : [
      step(-1, 'previous', 'Previous piece (P)'),
      h('span', { class: 'number' }, (index < 0 ? '–' : index + 1) + ' / ' + this.#pieces.length),
      step(1, 'next', 'Next piece (N)'),
    ]));
  }

  /** The code book's entry, asked for once. */
  async entry(code) {
    if (!this.#entries.has(code)) {
      const asked = api.lookUp(code);
      this.#entries.set(code, asked);
      asked.catch(() => this.#entries.delete(code));
    }
    return this.#entries.get(code);
  }

  async #load(code) {
    const entry = await this.entry(code).catch(() => null);
    if (entry === null || code !== this.#code) return;
    this.#path.replaceChildren(...[...entry.parents].reverse().flatMap((parent, i) => [i > 0 && ' › ', h('span', { title: parent.description }, h('span', { class: 'mono' }, parent.code), ' ', parent.description)]).filter(Boolean));
    const button = (other) => h('li', {}, h('button', { type: 'button', onclick: () => this.#tell('replace', other) },
      h('span', { class: 'code mono' }, other.code), h('span', { class: 'description' }, other.description)));
    const group = (title, others) => others.length > 0 && h('div', {},
      h('h3', {}, title, h('span', { class: 'count' }, String(others.length))),
      h('ul', {}, others.slice(0, NEIGHBOURS).map(button)),
      others.length > NEIGHBOURS && h('button', { class: 'more', type: 'button', onclick: () => this.#tell('change') }, 'All ' + others.length + ' …'));
    const groups = [group('More specific', entry.children), group('Siblings', entry.siblings)].filter(Boolean);
    if (entry.billable === false) groups.unshift(h('p', { class: 'tag warn' }, 'Not billable: choose a more specific code'));
    this.#family.replaceChildren(...groups);
    this.#family.hidden = groups.length === 0;
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
