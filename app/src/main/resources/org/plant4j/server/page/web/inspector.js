// The active code: its description, its evidence, and related codes.

import { api } from './api.js';
import { debounce, h, icon, keycap, percent, probability } from './dom.js';
import { markDescription, viewLine } from './explanations.js';
import { contradictionText, traitTags } from './traits.js';

const MAX_RELATED = 6;

/** Emits `select` with the index of an evidence span, `step` with a direction, `replace` with a related code, and `change`. */
export class Inspector extends EventTarget {
  #root;
  #view;
  #details = new Map();
  #code = null;
  #items = [];
  #spans = [];
  #navigation = h('span', { class: 'evidence-nav' });
  #related = h('div', { class: 'related-codes' });
  #ancestors = h('p', { class: 'ancestors' });
  #description = h('p', { class: 'inspector-description', dir: 'auto' });
  #viewLine = h('p', { class: 'ancestors', hidden: true });
  #text = '';
  #loadSoon = debounce(120, (code) => this.#load(code));

  constructor(root, view) {
    super();
    this.#root = root;
    this.#view = view;
  }

  hide() {
    this.#code = null;
    this.#root.hidden = true;
  }

  /** Whether the model reports shared views. If so, their line is reserved until the explanation arrives. */
  set showsViews(shown) {
    this.#viewLine.hidden = !shown;
  }

  /** Shows a suggested or added code with its evidence spans in order. */
  show({ code, description, probability: p, band }, spans, { preview = false } = {}) {
    this.#code = code;
    const contradiction = contradictionText({ evidence: spans });
    const heaviest = Math.max(...spans.map(({ weight }) => weight ?? 0), Number.MIN_VALUE);
    this.#spans = spans;
    this.#items = spans.map((span, i) => this.#evidenceItem(span, i, heaviest));
    this.#related.hidden = true;
    this.#ancestors.replaceChildren('\u00a0');
    this.#text = description;
    this.#description.replaceChildren(description);
    this.#viewLine.replaceChildren('\u00a0');
    this.#root.hidden = false;
    this.#root.replaceChildren(
      h('header', {},
        h('div', { class: 'inspector-title' },
          h('span', { class: 'code mono' }, code),
          preview && h('span', { class: 'tag' }, 'preview'),
          band && h('span', { class: 'tag ' + band }, { suggest: 'suggested', review: 'needs review', hidden: 'less likely' }[band]),
          p !== undefined && h('span', { class: 'muted number' }, probability(p)),
          h('button', { class: 'button push-right', type: 'button', onclick: () => this.#emit('change') }, icon('change'), 'Change ', keycap('C'))),
        this.#description,
        contradiction && h('p', { class: 'contradiction' }, contradiction),
        this.#ancestors,
        this.#viewLine),
      h('div', { class: 'inspector-body' },
        h('div', { class: 'evidence' },
          h('h3', {}, 'Evidence', this.#navigation),
          spans.length > 0 ? h('ol', {}, this.#items) : h('p', { class: 'muted' }, 'No evidence for this code. Select words in the note and press M to mark them.')),
        this.#related));
    this.#loadSoon(code);
  }

  /** Adds the explanation of the shown code. */
  explain({ description, descriptionEvidence, view }) {
    if (descriptionEvidence.length > 0 && description === this.#text) this.#description.replaceChildren(...markDescription(description, descriptionEvidence));
    if (view) this.#viewLine.replaceChildren(...viewLine(view));
  }

  #evidenceItem(span, i, heaviest) {
    const { before, words, after } = this.#view.context(span);
    const title = this.#view.title(span.document);
    return h('li', {}, h('button', { type: 'button', onclick: () => this.#emit('select', i) },
      span.weight === undefined ? h('span', { class: 'tag' }, 'marked') : h('span', { class: 'meter', title: 'Weight ' + percent(span.weight), vars: { '--share': span.weight / heaviest, '--meter': 'var(--mark-current)' } }),
      h('span', { class: 'snippet', dir: 'auto' }, title && h('span', { class: 'tag' }, title), ' … ', before, h('mark', {}, words), traitTags(span).flatMap((tag) => [' ', tag]), after, ' …')));
  }

  /** Marks the current evidence span; -1 for none. */
  setCurrent(index) {
    this.#items.forEach((item, i) => {
      if (i === index) item.firstChild.setAttribute('aria-current', 'true');
      else item.firstChild.removeAttribute('aria-current');
    });
    this.#items[index]?.scrollIntoView({ block: 'nearest' });
    const step = (by, name, label) => h('button', { type: 'button', 'aria-label': label, title: label, onclick: () => this.#emit('step', by) }, icon(name));
    this.#navigation.replaceChildren(...(this.#items.length === 0 ? [] : [
      step(-1, 'previous', 'Previous evidence (P)'),
      ...(this.#spans[index] ? traitTags(this.#spans[index]) : []),
      h('span', { class: 'number' }, (index < 0 ? '–' : index + 1) + ' / ' + this.#items.length),
      step(1, 'next', 'Next evidence (N)'),
    ]));
  }

  /** The code's details from the API, requested once. */
  async details(code) {
    if (!this.#details.has(code)) {
      const request = api.lookUp(code);
      this.#details.set(code, request);
      request.catch(() => this.#details.delete(code));
    }
    return this.#details.get(code);
  }

  async #load(code) {
    const details = await this.details(code).catch(() => null);
    if (details === null || code !== this.#code) return;
    this.#ancestors.replaceChildren(...[...details.parents].reverse().flatMap((parent, i) => [i > 0 && ' › ', h('span', { title: parent.description }, h('span', { class: 'mono' }, parent.code), ' ', parent.description)]).filter(Boolean));
    const button = (other) => h('li', {}, h('button', { type: 'button', onclick: () => this.#emit('replace', other) },
      h('span', { class: 'code mono' }, other.code), h('span', { class: 'description' }, other.description)));
    const group = (title, others) => others.length > 0 && h('div', {},
      h('h3', {}, title, h('span', { class: 'count' }, String(others.length))),
      h('ul', {}, others.slice(0, MAX_RELATED).map(button)),
      others.length > MAX_RELATED && h('button', { class: 'more', type: 'button', onclick: () => this.#emit('change') }, 'All ' + others.length + ' …'));
    const groups = [group('More specific', details.children), group('Siblings', details.siblings)].filter(Boolean);
    if (details.billable === false) groups.unshift(h('p', { class: 'tag warn' }, 'Not billable: choose a more specific code'));
    this.#related.replaceChildren(...groups);
    this.#related.hidden = groups.length === 0;
  }

  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
