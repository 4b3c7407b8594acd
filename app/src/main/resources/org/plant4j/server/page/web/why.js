// Why a code was given, beyond the words of the note: asked for when a code is looked at, of models that can tell.

import { api } from './server.js';
import { debounce, h, percent } from './dom.js';
import { level } from './highlights.js';

/** Tells `told` with a code once its explanation has come. Where none comes the page does without. */
export class Why extends EventTarget {
  #notes = [];
  #known = new Map();
  #wanted = null;
  #request = null;
  #ask = debounce(150, (code) => this.#load(code));

  /** Begins anew with the notes of another document. */
  begin(notes) {
    this.#notes = notes;
    this.#known.clear();
    this.stop();
  }

  of(code) {
    return this.#known.get(code);
  }

  /** Only the code looked at last is asked for: who walks through the list does not make the server explain all of it. */
  want(code) {
    if (code === this.#wanted) return;
    this.stop();
    if (this.#known.has(code)) return;
    this.#wanted = code;
    this.#ask(code);
  }

  stop() {
    this.#wanted = null;
    this.#request?.abort();
    this.#request = null;
  }

  async #load(code) {
    if (code !== this.#wanted) return;
    const request = new AbortController();
    this.#request = request;
    try {
      const told = await api.explain(this.#notes, code, { signal: request.signal });
      if (request.signal.aborted) return;
      this.#known.set(code, told);
      this.dispatchEvent(new CustomEvent('told', { detail: code }));
    } catch {
      // Nothing a coder could do about it, and nothing that the codes depend on.
    } finally {
      if (this.#request === request) this.stop();
    }
  }
}

/** A description with the words marked that spoke, as the note's are; in words for those who do not see it. */
export function marked(description, spans) {
  const heaviest = Math.max(...spans.map(({ weight }) => weight), Number.MIN_VALUE);
  const parts = [];
  let at = 0;
  for (const { start, end, weight } of [...spans].sort((a, b) => a.start - b.start)) {
    parts.push(description.slice(at, start),
      h('mark', { class: 'spoke spoke-' + (level(weight, heaviest) + 1), title: percent(weight) + ' of what the description says for this code' }, description.slice(start, end)));
    at = end;
  }
  const heard = spans.map(({ start, end, weight }) => description.slice(start, end) + ', ' + percent(weight));
  return [...parts, description.slice(at), heard.length > 0 && h('span', { class: 'hidden-visually' }, '. Found in the note: ' + heard.join('; '))].filter(Boolean);
}

export const viewLine = ({ number, count, words }) => ['Read through view ' + number + ' of ' + count + ': ', h('span', { class: 'view-words' }, words.join(', '))];
