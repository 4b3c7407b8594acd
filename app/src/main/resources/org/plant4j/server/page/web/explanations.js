// Explanations of single codes beyond the evidence in the note, requested for the active code if the model supports them.

import { api } from './api.js';
import { debounce, h, percent } from './dom.js';
import { level } from './highlights.js';

/** Emits `loaded` with a code when its explanation has arrived. Failed requests are ignored: explanations are optional. */
export class Explanations extends EventTarget {
  #notes = [];
  #loaded = new Map();
  #requested = null;
  #request = null;
  #loadSoon = debounce(150, (code) => this.#load(code));

  /** Discards all explanations and uses the notes of another document. */
  reset(notes) {
    this.#notes = notes;
    this.#loaded.clear();
    this.cancel();
  }

  get(code) {
    return this.#loaded.get(code);
  }

  /** Requests the explanation of a code and cancels any earlier request, so that moving through the list costs one request. */
  request(code) {
    if (code === this.#requested) return;
    this.cancel();
    if (this.#loaded.has(code)) return;
    this.#requested = code;
    this.#loadSoon(code);
  }

  cancel() {
    this.#requested = null;
    this.#request?.abort();
    this.#request = null;
  }

  async #load(code) {
    if (code !== this.#requested) return;
    const request = new AbortController();
    this.#request = request;
    try {
      const explanation = await api.explain(this.#notes, code, { signal: request.signal });
      if (request.signal.aborted) return;
      this.#loaded.set(code, explanation);
      this.dispatchEvent(new CustomEvent('loaded', { detail: code }));
    } catch {
      // Ignored: the coder cannot do anything about it, and no code depends on it.
    } finally {
      if (this.#request === request) this.cancel();
    }
  }
}

/** The description with its evidence marked like evidence in the note, and as text for screen readers. */
export function markDescription(description, spans) {
  const heaviest = Math.max(...spans.map(({ weight }) => weight), Number.MIN_VALUE);
  const nodes = [];
  let position = 0;
  for (const { start, end, weight } of [...spans].sort((a, b) => a.start - b.start)) {
    nodes.push(description.slice(position, start),
      h('mark', { class: 'description-evidence description-evidence-' + (level(weight, heaviest) + 1), title: percent(weight) + ' of the evidence in the description' }, description.slice(start, end)));
    position = end;
  }
  const spoken = spans.map(({ start, end, weight }) => description.slice(start, end) + ', ' + percent(weight));
  return [...nodes, description.slice(position), spoken.length > 0 && h('span', { class: 'visually-hidden' }, '. Found in the note: ' + spoken.join('; '))].filter(Boolean);
}

export const viewLine = ({ number, count, tokens }) => ['View ' + number + ' of ' + count + ': ', h('span', { class: 'view-words' }, tokens.join(', '))];
