// The ranked codes, grouped by band. Rows are built once per document; a decision updates only its row.

import { h, icon, keycap, percent, plural, probability } from './dom.js';
import { contradictionTags, contradictionText } from './traits.js';

const BANDS = {
  suggest: { title: 'Suggested', empty: 'No code is certain enough to suggest.' },
  review: { title: 'Needs review' },
  hidden: { title: 'Less likely' },
};

/** Emits `hover`, `activate`, `accept` and `reject` with a code, and `reveal` when hidden codes are shown or hidden. */
export class CodeList extends EventTarget {
  #root;
  #review;
  #rows = new Map();
  #added = h('ul', {});
  #addedSection = h('section', { class: 'band', hidden: true }, h('h3', {}, 'Added by you'), this.#added);
  #hidden = null;
  #toggle = null;
  #active = null;

  constructor(root, review) {
    super();
    this.#root = root;
    this.#review = review;
    root.addEventListener('pointerover', (event) => { if (event.pointerType !== 'touch') this.#hover(event.target.closest('li[data-code]')?.dataset.code ?? null); });
    root.addEventListener('pointerleave', () => this.#hover(null));
    review.addEventListener('change', () => this.#refresh());
  }

  /** Shows placeholder rows while the note is being coded. */
  showLoading() {
    this.#clear();
    this.#root.setAttribute('aria-busy', 'true');
    this.#root.replaceChildren(h('ul', { class: 'skeleton', 'aria-label': 'Coding' }, Array.from({ length: 7 }, (_, i) => h('li', { vars: { '--share': 0.9 - i * 0.07 } }))));
  }

  showEmpty(text) {
    this.#clear();
    this.#root.replaceChildren(h('p', { class: 'empty' }, text));
  }

  /** `bands`: their precision on dev, which says nothing about a note that is out of domain. */
  show(codes, { bands, inDomain }) {
    this.#clear();
    const shown = Object.keys(BANDS).filter((band) => inDomain || band !== 'suggest');
    const sections = shown.map((band) => this.#section(band, codes.filter((code) => code.band === band), inDomain ? bands : []));
    this.#root.replaceChildren(this.#addedSection, ...sections.filter(Boolean));
    this.#refresh();
  }

  #clear() {
    this.#root.removeAttribute('aria-busy');
    this.#rows.clear();
    this.#hidden = null;
    this.#toggle = null;
    this.#active = null;
    this.#root.scrollTop = 0;
  }

  #section(band, codes, bands) {
    const { title, empty } = BANDS[band];
    const measured = bands.find((each) => each.band === band);
    const list = h('ul', {}, codes.map((code) => this.#row(code)));
    if (codes.length === 0 && !empty) return null;
    if (band === 'hidden') {
      list.hidden = true;
      this.#hidden = list;
      this.#toggle = h('button', { class: 'button plain band-toggle', type: 'button', 'aria-expanded': 'false', onclick: () => this.toggleHidden() });
      this.#labelToggle();
      return h('section', { class: 'band' }, this.#toggle, list);
    }
    return h('section', { class: 'band ' + band },
      h('h3', {}, title, h('span', { class: 'count' }, String(codes.length)),
        typeof measured?.precision === 'number' && h('span', { class: 'precision', title: 'Of 100 codes in this group, about ' + Math.round(measured.precision * 100) + ' were correct in notes that the model had not seen' },
          percent(measured.precision), ' correct in testing')),
      codes.length > 0 ? list : h('p', { class: 'empty' }, empty));
  }

  #row(code) {
    const { code: key, description, probability: p, evidence = [] } = code;
    const main = h('button', { class: 'row-main', type: 'button', tabindex: '-1', onclick: () => this.#emit('activate', key) });
    const accept = h('button', { class: 'row-action accept', type: 'button', tabindex: '-1', 'aria-label': 'Accept ' + key, title: 'Accept (A)', onclick: () => this.#emit('accept', key) }, icon('accept'));
    const reject = h('button', { class: 'row-action reject', type: 'button', tabindex: '-1', 'aria-label': 'Reject ' + key, title: 'Reject (R)', onclick: () => this.#emit('reject', key) }, icon('reject'));
    const likelihood = p === undefined
      ? h('span', { class: 'probability muted' }, 'added')
      : h('span', { class: 'probability number' }, probability(p), h('span', { class: 'meter', vars: { '--share': p } }));
    const item = h('li', { 'data-code': key }, main, likelihood, h('span', { class: 'row-actions' }, accept, reject));
    this.#rows.set(key, { item, main, accept, reject, description, p, evidenceCount: evidence.length, contradiction: contradictionText(code), tags: contradictionTags(code) });
    return item;
  }

  #refresh() {
    if (!this.#root.contains(this.#addedSection)) return;
    this.#refreshAdded();
    const principal = this.#review.final[0];
    for (const [key, row] of this.#rows) {
      const decision = this.#review.decision(key);
      const state = decision?.decision ?? (this.#review.changedFrom(key) ? 'kept' : 'open');
      const marks = [
        principal && (principal.from ?? principal.code) === key && this.#review.final.length > 1 && 'principal',
        state !== 'rejected' && decision?.presence && 'POA ' + decision.presence,
      ].filter(Boolean);
      if (row.item.dataset.state === state && row.item.dataset.marks === marks.join() && state !== 'changed') continue;
      row.item.dataset.state = state;
      row.item.dataset.marks = marks.join();
      const kept = ['accepted', 'added', 'kept'].includes(state);
      row.accept.setAttribute('aria-pressed', String(kept));
      row.reject.setAttribute('aria-pressed', String(state === 'rejected'));
      row.main.replaceChildren(...[
        h('span', { class: 'code mono' }, key),
        decision?.to
          ? h('span', { class: 'description', dir: 'auto' }, h('span', { class: 'code mono to' }, decision.to.code), decision.to.description)
          : h('span', { class: 'description', dir: 'auto' }, row.description),
        row.tags.length + marks.length > 0 && h('span', { class: 'row-tags', title: row.contradiction, 'aria-hidden': 'true' }, marks.map((mark) => h('span', { class: 'tag suggest' }, mark)), row.tags),
        h('span', { class: 'visually-hidden' }, this.#spokenText(row, decision, state, marks)),
      ].filter(Boolean));
    }
    this.#updateActive();
  }

  /** The row's state as text for screen readers. */
  #spokenText({ description, p, evidenceCount, contradiction }, decision, state, marks) {
    return [
      decision?.to && 'replaces ' + description,
      p !== undefined && probability(p),
      state === 'open' ? 'undecided' : state,
      ...marks,
      plural(evidenceCount, 'evidence span'),
      contradiction,
    ].filter(Boolean).map((phrase) => ', ' + phrase).join('');
  }

  #refreshAdded() {
    const added = this.#review.added;
    const shown = [...this.#added.children].map((item) => item.dataset.code);
    this.#addedSection.hidden = added.length === 0;
    if (shown.join() === added.map(({ code }) => code).join()) return;
    shown.forEach((code) => this.#rows.delete(code));
    this.#added.replaceChildren(...added.map((code) => this.#row(code)));
    if (!this.#rows.has(this.#active)) this.#active = null;
  }

  /** The codes in display order, without collapsed ones. */
  get visible() {
    return [...this.#root.querySelectorAll('li[data-code]')].filter((item) => !item.parentElement.hidden).map((item) => item.dataset.code);
  }

  get showsHidden() {
    return this.#hidden !== null && !this.#hidden.hidden;
  }

  get active() {
    return this.#active;
  }

  toggleHidden() {
    if (!this.#hidden) return;
    this.#hidden.hidden = !this.#hidden.hidden;
    this.#labelToggle();
    this.dispatchEvent(new CustomEvent('reveal'));
  }

  #labelToggle() {
    const n = this.#hidden.children.length;
    this.#toggle.setAttribute('aria-expanded', String(!this.#hidden.hidden));
    this.#toggle.replaceChildren(icon('next'), BANDS.hidden.title, h('span', { class: 'count' }, String(n)), keycap('H'));
  }

  /** Makes a code active; `focus` also moves the keyboard focus to it. */
  activate(code, focus) {
    if (this.#hidden?.hidden && this.#rows.get(code)?.item.parentElement === this.#hidden) this.toggleHidden();
    this.#active = this.#rows.has(code) ? code : null;
    this.#updateActive();
    const row = this.#rows.get(this.#active);
    row?.item.scrollIntoView({ block: 'nearest' });
    if (focus) row?.main.focus({ preventScroll: true });
  }

  /** Marks the active row and makes it, or else the first row, the one that Tab reaches. */
  #updateActive() {
    const focusable = this.#active ?? this.visible[0];
    for (const [key, { item, main, accept, reject }] of this.#rows) {
      const active = key === this.#active;
      item.classList.toggle('active', active);
      if (active) main.setAttribute('aria-current', 'true');
      else main.removeAttribute('aria-current');
      [main, accept, reject].forEach((button) => { button.tabIndex = key === focusable ? 0 : -1; });
    }
  }

  #hover(code) {
    this.#emit('hover', code);
  }

  #emit(type, code) {
    this.dispatchEvent(new CustomEvent(type, { detail: code }));
  }
}
