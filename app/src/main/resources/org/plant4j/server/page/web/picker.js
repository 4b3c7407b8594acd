// Finding a code: by search, or first among the neighbours of the one it replaces.

import { ApiError, api } from './server.js';
import { $, closable, debounce, emphasised, h } from './dom.js';

/** A modal combobox; `pick` resolves to the chosen code, or null. */
export class Picker {
  #dialog = closable($('picker'));
  #input = $('picker-input');
  #list = $('picker-list');
  #context = $('picker-context');
  #options = [];
  #at = -1;
  #neighbours = [];
  #asked = null;
  #request = null;
  #chosen = null;
  #search = debounce(90, () => this.#run());

  constructor() {
    this.#input.addEventListener('input', () => this.#search());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
  }

  /**
   * `neighbours`: a promise of groups of codes, shown while nothing is typed; `query`: what stands in the field at first.
   * The dialog opens at once, so that no key typed meanwhile goes elsewhere.
   */
  pick({ label, context = '', query = '', neighbours = Promise.resolve([]) }) {
    this.#neighbours = [];
    const asked = neighbours;
    this.#asked = asked;
    asked.then((groups) => {
      if (this.#asked !== asked) return;
      this.#neighbours = groups.filter((group) => group.codes.length > 0);
      if (this.#input.value.trim() === '') this.#run();
    });
    this.#chosen = null;
    this.#input.value = query;
    this.#input.placeholder = label;
    this.#input.setAttribute('aria-label', label);
    this.#context.textContent = context;
    this.#context.hidden = context === '';
    this.#show([]);
    this.#dialog.showModal();
    this.#input.select();
    this.#run();
    return new Promise((resolve) => this.#dialog.addEventListener('close', () => {
      this.#request?.abort();
      resolve(this.#chosen);
    }, { once: true }));
  }

  async #run() {
    const query = this.#input.value.trim();
    this.#request?.abort();
    if (query === '') {
      this.#show(this.#neighbours, query, this.#neighbours.length > 0 ? '' : 'Type a code or words of its description. Typing errors are forgiven.');
      return;
    }
    this.#request = new AbortController();
    try {
      const found = await api.search(query, { signal: this.#request.signal });
      this.#show([{ title: '', codes: found }], query, found.length > 0 ? '' : 'No code found.');
    } catch (error) {
      if (error instanceof ApiError) this.#show([], query, error.message + '. ' + error.remedy);
      else if (error.name !== 'AbortError') throw error;
    }
  }

  #show(groups, query = '', remark = '') {
    this.#options = [];
    const option = (code) => {
      const i = this.#options.length;
      const item = h('div', { class: 'option', role: 'option', id: 'option-' + i, 'aria-selected': 'false',
        onpointermove: () => this.#move(i, false), onclick: () => this.#choose(i) },
      h('span', { class: 'code mono' }, emphasised(code.code, query)),
      h('span', { class: 'description' }, emphasised(code.description, query)),
      code.billable === false && h('span', { class: 'tag warn' }, 'not billable'),
      code.known === false && h('span', { class: 'tag', title: 'The model has not seen this code and never suggests it' }, 'not in model'));
      this.#options.push({ code, item });
      return item;
    };
    this.#list.replaceChildren(
      ...groups.map(({ title, codes }) => h('div', { role: 'group', 'aria-label': title || 'Found' }, title && h('div', { class: 'group', 'aria-hidden': 'true' }, title), codes.map(option))),
      ...(remark ? [h('p', { class: 'empty', role: 'status' }, remark)] : []));
    this.#list.scrollTop = 0;
    this.#at = -1;
    this.#move(0);
  }

  #move(to, scroll = true) {
    this.#options[this.#at]?.item.setAttribute('aria-selected', 'false');
    this.#at = this.#options.length === 0 ? -1 : Math.min(Math.max(to, 0), this.#options.length - 1);
    const item = this.#options[this.#at]?.item;
    item?.setAttribute('aria-selected', 'true');
    if (scroll) item?.scrollIntoView({ block: 'nearest' });
    if (item) this.#input.setAttribute('aria-activedescendant', item.id);
    else this.#input.removeAttribute('aria-activedescendant');
  }

  #key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key in steps) this.#move(this.#at + steps[event.key]);
    else if (event.key === 'Enter') this.#choose(this.#at);
    else return;
    event.preventDefault();
  }

  #choose(i) {
    if (!this.#options[i]) return;
    this.#chosen = this.#options[i].code;
    this.#dialog.close();
  }
}
