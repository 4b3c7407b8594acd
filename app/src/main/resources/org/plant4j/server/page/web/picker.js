// The code picker: search, with related codes as initial options.

import { ApiError, api } from './api.js';
import { $, closable, debounce, highlightMatches, h } from './dom.js';

const key = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Codes that can be billed before headings; a code that is typed in full stays first. */
export const billableFirst = (codes, query = '') => [...codes].sort((a, b) => (key(b.code) === key(query)) - (key(a.code) === key(query)) || b.billable - a.billable);

/** A modal combobox. `pick` resolves to the chosen code, or null. */
export class Picker {
  #dialog = closable($('picker'));
  #input = $('picker-input');
  #list = $('picker-list');
  #context = $('picker-context');
  #options = [];
  #activeIndex = -1;
  #related = [];
  #relatedPromise = null;
  #request = null;
  #resolve = null;
  #search = debounce(90, () => this.#update());

  constructor() {
    this.#input.addEventListener('input', () => this.#search());
    this.#input.addEventListener('keydown', (event) => this.#onKey(event));
    this.#dialog.addEventListener('close', () => {
      if (this.#dialog.open) return; // opened again after a choice, whose event comes late
      this.#request?.abort();
      this.#resolve(null);
    });
  }

  /**
   * `related`: a promise of groups of codes, shown while the field is empty; `query`: the initial text.
   * The dialog opens before the promise resolves, so that the next key press reaches it.
   */
  pick({ label, context = '', query = '', related = Promise.resolve([]) }) {
    this.#related = [];
    this.#relatedPromise = related;
    related.then((groups) => {
      if (this.#relatedPromise !== related) return;
      this.#related = groups.filter((group) => group.codes.length > 0);
      if (this.#input.value.trim() === '') this.#update();
    });
    this.#input.value = query;
    this.#input.placeholder = label;
    this.#input.setAttribute('aria-label', label);
    this.#context.textContent = context;
    this.#context.hidden = context === '';
    this.#show([]);
    this.#dialog.showModal();
    this.#input.select();
    this.#update();
    return new Promise((resolve) => { this.#resolve = resolve; });
  }

  async #update() {
    const query = this.#input.value.trim();
    this.#request?.abort();
    if (query === '') {
      this.#show(this.#related, query, this.#related.length > 0 ? '' : 'Type a code or words of its description. Typos are tolerated.');
      return;
    }
    this.#request = new AbortController();
    try {
      const codes = billableFirst(await api.search(query, { signal: this.#request.signal }), query);
      this.#show([{ title: '', codes }], query, codes.length > 0 ? '' : 'No code found.');
    } catch (error) {
      if (error instanceof ApiError) this.#show([], query, error.message + '. ' + error.remedy);
      else if (error.name !== 'AbortError') throw error;
    }
  }

  #show(groups, query = '', message = '') {
    this.#options = [];
    const option = (code) => {
      const i = this.#options.length;
      const item = h('div', { class: 'option', role: 'option', id: 'option-' + i, 'aria-selected': 'false',
        onpointermove: () => this.#move(i, false), onclick: () => this.#choose(i) },
      h('span', { class: 'code mono' }, highlightMatches(code.code, query)),
      h('span', { class: 'description' }, highlightMatches(code.description, query)),
      code.billable === false && h('span', { class: 'tag warn' }, 'not billable'),
      code.inModel === false && h('span', { class: 'tag', title: 'The model cannot suggest this code' }, 'not in model'));
      this.#options.push({ code, item });
      return item;
    };
    this.#list.replaceChildren(
      ...groups.map(({ title, codes }) => h('div', { role: 'group', 'aria-label': title || 'Results' }, title && h('div', { class: 'group', 'aria-hidden': 'true' }, title), codes.map(option))),
      ...(message ? [h('p', { class: 'empty', role: 'status' }, message)] : []));
    this.#list.scrollTop = 0;
    this.#activeIndex = -1;
    this.#move(0);
  }

  #move(to, scroll = true) {
    this.#options[this.#activeIndex]?.item.setAttribute('aria-selected', 'false');
    this.#activeIndex = this.#options.length === 0 ? -1 : Math.min(Math.max(to, 0), this.#options.length - 1);
    const item = this.#options[this.#activeIndex]?.item;
    item?.setAttribute('aria-selected', 'true');
    if (scroll) item?.scrollIntoView({ block: 'nearest' });
    if (item) this.#input.setAttribute('aria-activedescendant', item.id);
    else this.#input.removeAttribute('aria-activedescendant');
  }

  #onKey(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key in steps) this.#move(this.#activeIndex + steps[event.key]);
    else if (event.key === 'Enter') this.#choose(this.#activeIndex);
    else return;
    event.preventDefault();
  }

  #choose(i) {
    if (!this.#options[i]) return;
    // The event `close` comes later, perhaps after the next key press, which must find the code chosen.
    this.#resolve(this.#options[i].code);
    this.#dialog.close();
  }
}
