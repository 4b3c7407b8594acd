// The coder's decisions on one document, with undo and redo. Independent of the DOM.

import { nextPresence } from './presence.js';

/**
 * Decisions by code: `{decision: 'accepted' | 'rejected'}`, `{decision: 'changed', to: {code, description}}` or
 * `{decision: 'added', description}`, each with the spans the coder marked as `evidence`, its `order` if the coder moved codes,
 * and its present-on-admission flag `presence`. Emits `change`.
 */
export class Review extends EventTarget {
  #suggested = new Map();
  #decisions = new Map();
  #undoStack = [];
  #redoStack = [];

  /** Starts a review of the suggested codes, with earlier decisions if there are any. */
  reset(suggested, decisions = []) {
    this.#suggested = new Map(suggested.map((code) => [code.code, code]));
    this.#decisions = new Map(decisions);
    this.#undoStack = [];
    this.#redoStack = [];
    this.#emitChange();
  }

  decision(code) {
    return this.#decisions.get(code);
  }

  suggestion(code) {
    return this.#suggested.get(code);
  }

  get suggestions() {
    return [...this.#suggested.values()];
  }

  get decisions() {
    return [...this.#decisions];
  }

  get added() {
    return this.decisions.filter(([, decision]) => decision.decision === 'added').map(([code, decision]) => ({ code, ...decision }));
  }

  /** The codes assigned to the document: kept suggestions in order of probability, then added codes. */
  get final() {
    const suggested = [...this.#suggested.values()].flatMap((suggestion) => {
      const decision = this.decision(suggestion.code);
      if (decision?.decision === 'accepted') return [{ code: suggestion.code, description: suggestion.description, decision }];
      return decision?.decision === 'changed' ? [{ ...decision.to, from: suggestion.code, decision }] : [];
    });
    const all = suggested.concat(this.added.map(({ code, description }) => ({ code, description, decision: this.decision(code) })));
    const order = ({ decision }) => decision.order ?? Number.MAX_SAFE_INTEGER; // codes accepted later come last
    return all.sort((a, b) => order(a) - order(b)); // stable: without an order as above
  }

  /** The key of the decision by which a code is assigned. */
  #keyOf(code) {
    return this.changedFrom(code) ?? code;
  }

  /** The present-on-admission flag of an assigned code, undefined for none. */
  presence(code) {
    return this.decision(this.#keyOf(code))?.presence;
  }

  /** The suggestion that was changed to this code, if any. */
  changedFrom(code) {
    return this.decisions.find(([, { to }]) => to?.code === code)?.[0];
  }

  /** Undecided suggestions outside the hidden band. */
  get undecided() {
    return [...this.#suggested.values()].filter(({ code, band }) => band !== 'hidden' && !this.decision(code) && !this.changedFrom(code));
  }

  isFinal(code) {
    return this.final.some((kept) => kept.code === code);
  }

  get canUndo() {
    return this.#undoStack.length > 0;
  }

  get canRedo() {
    return this.#redoStack.length > 0;
  }

  /** Accepts or rejects a code; repeating the decision removes it. A code that replaced another one becomes independent of it. */
  toggle(code, decision) {
    const before = this.decision(code);
    const replaced = this.changedFrom(code);
    if (replaced) {
      this.#change((decisions) => {
        if (decision === 'accepted') decisions.set(replaced, { decision: 'rejected' });
        else decisions.delete(replaced);
        decisions.set(code, { decision });
      });
    } else if (before?.decision === 'added') {
      if (decision === 'rejected') this.#change((decisions) => decisions.delete(code));
    } else if (before?.decision === decision) {
      this.#change((decisions) => decisions.delete(code));
    } else {
      this.#change((decisions) => decisions.set(code, { decision, ...(decision === 'rejected' ? evidenceOf(before) : kept(before)) }));
    }
  }

  acceptAll(codes) {
    this.#change((decisions) => codes.forEach((code) => decisions.set(code, { decision: 'accepted', ...kept(decisions.get(code)) })));
  }

  /** Adds a code. If the model suggested it, it is accepted instead. */
  add({ code, description }, evidence = []) {
    const marked = evidence.length > 0 ? { evidence } : {};
    const decision = this.#suggested.has(code) ? { decision: 'accepted', ...marked } : { decision: 'added', description, ...marked };
    this.#change((decisions) => decisions.set(code, decision));
  }

  /** Replaces a code with another. If the other is already assigned, the code is only dropped. Returns whether it was replaced. */
  replace(code, { code: to, description }) {
    const before = this.decision(code);
    const assigned = this.isFinal(to);
    this.#change((decisions) => {
      if (!assigned) decisions.delete(to); // discard an earlier rejection
      if (before?.decision === 'added') {
        decisions.delete(code);
        if (!assigned) decisions.set(to, { ...before, description });
      } else {
        decisions.set(code, assigned ? { decision: 'rejected' } : { decision: 'changed', to: { code: to, description }, ...kept(before) });
      }
    });
    return !assigned;
  }

  /** Marks a span as evidence for a code. Accepts the code unless it was changed or added. */
  mark(target, span) {
    const code = this.changedFrom(target) ?? target;
    this.#change((decisions) => {
      const before = decisions.get(code);
      const kept = before && before.decision !== 'rejected';
      const evidence = [...(before?.evidence ?? []), span];
      decisions.set(code, { ...(kept ? before : { decision: 'accepted' }), evidence });
    });
  }

  /** Drops an assigned code. */
  drop(target) {
    const code = this.changedFrom(target) ?? target;
    this.#change((decisions) => (this.#suggested.has(code) ? decisions.set(code, { decision: 'rejected' }) : decisions.delete(code)));
  }

  /** Puts an assigned code before another one in the order of codes. */
  moveBefore(code, other) {
    const others = this.final.map((each) => each.code).filter((each) => each !== code);
    this.moveTo(code, others.indexOf(other));
  }

  /** Moves an assigned code in the order of codes; 0 makes it the principal diagnosis. */
  moveTo(code, index) {
    const codes = this.final.map((each) => each.code).filter((each) => each !== code);
    codes.splice(index, 0, code);
    const keys = codes.map((each) => this.#keyOf(each));
    this.#change((decisions) => keys.forEach((key, order) => decisions.set(key, { ...decisions.get(key), order })));
  }

  /** Sets the next present-on-admission flag of an assigned code. */
  cyclePresence(code) {
    const key = this.#keyOf(code);
    this.#change((decisions) => decisions.set(key, { ...decisions.get(key), presence: nextPresence(decisions.get(key).presence) }));
  }

  undo() {
    this.#step(this.#undoStack, this.#redoStack);
  }

  redo() {
    this.#step(this.#redoStack, this.#undoStack);
  }

  /** The decisions in the format of the API: assigned codes in their order, then rejected ones. */
  toJson() {
    const order = this.final.map(({ code, from }) => from ?? code);
    const rank = ([code]) => (order.includes(code) ? order.indexOf(code) : order.length);
    return this.decisions.sort((a, b) => rank(a) - rank(b)).map(([code, { decision, to, evidence, presence }]) => ({
      code: to?.code ?? code,
      decision,
      ...(to && { from: code }),
      ...(evidence?.length > 0 && { evidence }),
      ...(presence && decision !== 'rejected' && { presentOnAdmission: presence }),
    }));
  }

  #change(edit) {
    const next = new Map(this.#decisions);
    edit(next);
    this.#undoStack.push(this.#decisions);
    this.#redoStack = [];
    this.#decisions = next;
    this.#emitChange();
  }

  #step(from, to) {
    if (from.length === 0) return;
    to.push(this.#decisions);
    this.#decisions = from.pop();
    this.#emitChange();
  }

  #emitChange() {
    this.dispatchEvent(new Event('change'));
  }
}

const evidenceOf = (decision) => (decision?.evidence ? { evidence: decision.evidence } : {});

/** What an assigned code keeps if its decision changes. */
const kept = (decision) => Object.fromEntries(Object.entries(decision ?? {}).filter(([name, value]) => ['evidence', 'order', 'presence'].includes(name) && value !== undefined));
