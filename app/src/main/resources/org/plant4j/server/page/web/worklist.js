// The worklist: encounters that wait to be coded. Claims them, opens them, and prepares the next one while this one is coded.

import { ApiError, api } from './api.js';
import { $, closable, debounce, h, keycap, plural } from './dom.js';
import { announce, notify } from './notices.js';

const OPEN = 'plant4j.encounter';
const RENEW_MILLISECONDS = 60_000;
const TO_CODE = 'to-code';
const STATES = { open: 'Open', in_progress: 'In progress', coded: 'Coded', second_review: 'Second review', closed: 'Closed' };
const NEEDS_REVIEWER = ['coded', 'second_review'];

/** How long ago, in the largest unit: "5 min", "3 h", "2 d". */
export function age(time, now = Date.now()) {
  const minutes = Math.max(0, Math.floor((now - Date.parse(time)) / 60_000));
  if (minutes < 60) return minutes + '\u00a0min';
  return minutes < 48 * 60 ? Math.floor(minutes / 60) + '\u00a0h' : Math.floor(minutes / (24 * 60)) + '\u00a0d';
}

/** Emits `open` with `{encounter, result}`: an encounter that this user has claimed, and the promise of its codes if they were prepared. */
export class Worklist extends EventTarget {
  #user = { name: '', role: 'coder' };
  #filter = TO_CODE;
  #encounters = [];
  #counts = {};
  #next = null;
  #renewed = 0;
  #list = h('ul', { class: 'encounters', id: 'encounters' });
  #filters = h('div', { class: 'filters', role: 'group', 'aria-label': 'Filter by state' });
  #search = h('input', { class: 'field', type: 'search', placeholder: 'Filter by id or name', 'aria-label': 'Filter by id or name', id: 'worklist-search' });
  #dialog = this.#build();

  set user(user) {
    this.#user = user;
    $('worklist-button').hidden = false;
  }

  get #isReviewer() {
    return this.#user.role !== 'coder';
  }

  async show() {
    if (!this.#dialog.open) this.#dialog.showModal();
    await this.#load();
    (this.#rows()[0] ?? this.#search).focus();
  }

  /** Shows the worklist if it has encounters to work on; otherwise the page starts with an empty note. */
  async showIfNeeded() {
    const { counts, encounters } = await api.encounters('limit=200');
    const waits = counts.open > 0 || encounters.some(({ claimedBy }) => claimedBy === this.#user.name) || (this.#isReviewer && counts.second_review > 0);
    if (waits) await this.show();
  }

  /** Claims an encounter and opens it. */
  async open(id) {
    try {
      this.#opened(await api.claim(id), null);
    } catch (error) {
      this.#report(error);
      if (this.#dialog.open) await this.#load();
    }
  }

  /** Opens the encounter that was open before a reload. Returns whether there was one. */
  async resume() {
    const id = sessionStorage.getItem(OPEN);
    if (id === null) return false;
    try {
      this.#opened(await api.claim(id), null);
      return true;
    } catch (error) {
      this.forget();
      this.#report(error);
      return false;
    }
  }

  /** Opens the next encounter after the present one, at once if it was prepared. Returns whether there was one. */
  async openNext(after, secondReview = false) {
    try {
      const prepared = await this.#next?.promise;
      this.#next = null;
      if (prepared && prepared.encounter.id !== after && Boolean(prepared.secondReview) === secondReview) {
        this.#opened(prepared.encounter, prepared.result);
        return true;
      }
      const encounter = await api.nextEncounter({ ...(after && { after }), secondReview });
      if (encounter) {
        this.#opened(encounter, null);
        return true;
      }
      announce('The worklist is done');
      await this.show();
    } catch (error) {
      this.#report(error);
    }
    return false;
  }

  /** Claims the next encounter and requests its codes, so that it opens at once. */
  prepareNext(after, secondReview = false) {
    if (this.#next?.after === after) return;
    const prepare = async () => {
      const encounter = await api.nextEncounter({ after, secondReview });
      if (!encounter) return null;
      const result = api.code(toNotes(encounter));
      result.catch(() => {}); // reported when the encounter is opened
      return { encounter, result, secondReview };
    };
    this.#next = { after, promise: prepare().catch(() => null) };
  }

  /** Extends the claim while the coder works, at most once a minute. */
  renew(id) {
    if (Date.now() - this.#renewed < RENEW_MILLISECONDS) return;
    this.#renewed = Date.now();
    api.claim(id).catch((error) => {
      if (error instanceof ApiError && error.status === 409) notify('Somebody else works on this encounter now.', { error: true, seconds: 20 });
    });
  }

  /** Gives a claim back; if that fails, it expires. */
  release(id) {
    api.release({ id }).catch(() => {});
  }

  /** Gives all claims back, at sign-out. */
  async releaseAll() {
    this.forget();
    await api.release({}).catch(() => {});
  }

  /** The open note is not on the worklist. */
  forget() {
    sessionStorage.removeItem(OPEN);
  }

  #opened(encounter, result) {
    this.#dialog.close();
    sessionStorage.setItem(OPEN, encounter.id);
    this.#renewed = Date.now();
    this.dispatchEvent(new CustomEvent('open', { detail: { encounter, result } }));
  }

  #report(error) {
    if (!(error instanceof ApiError)) throw error;
    notify(error.message + (error.remedy ? ': ' + error.remedy : '') + '.', { error: true });
  }

  async #load() {
    try {
      const query = this.#filter === 'disagreements' ? 'disagreements=true' : 'state=' + (this.#filter === TO_CODE ? 'open' : this.#filter);
      const [{ encounters, counts }, inProgress] = await Promise.all([api.encounters('limit=200&' + query), api.encounters('limit=200&state=in_progress')]);
      const own = inProgress.encounters.filter(({ claimedBy }) => claimedBy === this.#user.name);
      this.#encounters = this.#filter === TO_CODE ? [...own, ...encounters] : encounters;
      this.#counts = { ...counts, [TO_CODE]: counts.open + own.length };
    } catch (error) {
      this.#report(error);
    }
    this.#render();
  }

  #build() {
    const close = h('button', { class: 'button plain', type: 'button', 'data-close': true }, 'Close');
    const next = h('button', { class: 'button primary', type: 'button', id: 'worklist-next', onclick: () => this.#startNext() }, 'Next encounter ', keycap('⇧N'));
    const dialog = h('dialog', { id: 'worklist', class: 'worklist', 'aria-labelledby': 'worklist-title' },
      h('div', { class: 'dialog-head' }, h('h2', { id: 'worklist-title' }, 'Worklist'), this.#search),
      h('div', { class: 'dialog-body' }, this.#filters, this.#list),
      h('div', { class: 'dialog-foot' }, h('span', { class: 'muted drop-hint' }, 'Drop text files here to add them.'), close, next));
    dialog.addEventListener('keydown', (event) => this.#onKey(event));
    this.#search.addEventListener('input', debounce(80, () => this.#renderList()));
    addEventListener('drop', (event) => this.#onDrop(event), true);
    document.body.append(dialog);
    return closable(dialog);
  }

  #render() {
    const chip = (key, label, count) => h('button', { class: 'filter', type: 'button', 'aria-pressed': String(key === this.#filter), onclick: () => this.#show(key) },
      label, count !== undefined && h('span', { class: 'number' }, String(count)));
    const states = { [TO_CODE]: 'To do', ...STATES, open: undefined };
    this.#filters.replaceChildren(...Object.entries(states).filter(([, label]) => label).map(([key, label]) => chip(key, label, this.#counts[key] ?? 0)),
      chip('disagreements', 'Disagreements'));
    this.#renderList();
  }

  async #show(filter) {
    this.#filter = filter;
    await this.#load();
    this.#filters.querySelector('[aria-pressed=true]').focus();
  }

  #renderList() {
    const words = this.#search.value.trim().toLowerCase();
    const shown = this.#encounters.filter(({ id, claimedBy, coder }) => [id, claimedBy, coder].some((each) => each?.toLowerCase().includes(words)) || words === '');
    this.#list.replaceChildren(...shown.map((encounter) => this.#row(encounter)));
    if (shown.length === 0) this.#list.append(h('li', { class: 'no-encounters' }, this.#emptyText(words)));
    $('worklist-next').disabled = !(this.#counts[this.#isSecond ? 'second_review' : TO_CODE] > 0);
  }

  #emptyText(words) {
    if (words !== '' && this.#encounters.length > 0) return 'No encounter matches.';
    if (this.#filter === TO_CODE) return 'No encounters wait to be coded. They arrive through the interfaces of the server, or drop text files here.';
    return this.#filter === 'disagreements' ? 'No second review differs from the first.' : 'No encounters are in this state.';
  }

  #row(encounter) {
    const { id, state, documentCount, arrived, reopened, claimedBy, coder, secondReviewer, disagreements } = encounter;
    const own = claimedBy === this.#user.name;
    const who = claimedBy ? (own ? 'you' : claimedBy) : [coder, secondReviewer].filter(Boolean).join(' → ');
    const usable = !claimedBy || own ? state === 'open' || state === 'in_progress' || (NEEDS_REVIEWER.includes(state) && this.#isReviewer && coder !== this.#user.name) : false;
    return h('li', {}, h('button', { type: 'button', class: usable ? 'encounter' : 'encounter done', 'data-encounter': id, onclick: () => (usable ? this.open(id) : this.#explain(encounter)) },
      h('strong', { class: 'encounter-id' }, id),
      h('span', { class: 'tags' },
        h('span', { class: 'tag ' + (state === 'open' ? 'suggest' : state === 'second_review' ? 'review' : '') }, STATES[state]),
        reopened && h('span', { class: 'tag warn' }, 'reopened: new document'),
        disagreements > 0 && h('span', { class: 'tag warn' }, plural(disagreements, 'disagreement'))),
      h('span', { class: 'muted number' }, plural(documentCount, 'document')),
      h('span', { class: 'muted number', title: new Date(arrived).toLocaleString() }, age(arrived)),
      h('span', { class: 'who' }, who)));
  }

  /** Shows why an encounter cannot be opened, and what its second review changed. */
  async #explain({ id, state, claimedBy, coder, secondReviewId }) {
    if (!secondReviewId) {
      notify(claimedBy ? claimedBy + ' works on this encounter.' : coder === this.#user.name ? 'You have coded this encounter.' : 'This encounter is ' + STATES[state].toLowerCase() + '.');
      return;
    }
    const { secondReview } = await api.encounter(id);
    const changes = secondReview?.second?.disagreements ?? [];
    const row = this.#list.querySelector('[data-encounter="' + CSS.escape(id) + '"]').parentElement;
    row.querySelector('.changes')?.remove();
    row.append(h('ul', { class: 'changes' }, changes.length === 0 ? h('li', {}, secondReview.reviewer + ' agreed with all codes.') : changes.map(({ first, second, comment }) => h('li', {},
      h('span', { class: 'mono' }, (first ?? 'nothing') + ' → ' + (second ?? 'removed')), ' ' + comment))));
  }

  #rows() {
    return [...this.#list.querySelectorAll('.encounter')];
  }

  get #isSecond() {
    return this.#filter === 'second_review' && this.#isReviewer;
  }

  #startNext() {
    this.openNext(undefined, this.#isSecond);
  }

  #onKey(event) {
    const rows = this.#rows();
    const at = rows.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && rows.length > 0) {
      event.preventDefault();
      rows[Math.min(Math.max(at + step, 0), rows.length - 1)].focus();
    } else if (event.key === 'N' && event.shiftKey && event.target !== this.#search && !$('worklist-next').disabled) {
      event.preventDefault();
      this.#startNext();
    }
  }

  /** Adds dropped files while the worklist is open; each is an encounter of its own. */
  async #onDrop(event) {
    if (!this.#dialog.open || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    $('drop-target').hidden = true;
    let added = 0;
    for (const file of event.dataTransfer.files) {
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
        const { outcome } = await api.addEncounter({ id: file.name.replace(/\.[^.]*$/, ''), documents: [{ id: file.name, title: file.name, text: text.replace(/\r\n?/g, '\n') }] });
        added += outcome === 'unchanged' ? 0 : 1;
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
        notify(file.name + ' was not added: ' + (error instanceof ApiError ? error.message : 'it is not UTF-8 text') + '.', { error: true, seconds: 10 });
        return;
      }
    }
    notify(plural(added, 'encounter') + ' added.');
    await this.#show(TO_CODE);
  }
}

/** The documents of an encounter as notes of the page. */
export const toNotes = ({ documents }) => documents.map(({ id, title, text }) => ({ id, title, text }));
