// What the coder decided about one document. Every change can be undone; nothing here touches the page.

/**
 * Decisions by the code they are about: `{decision: 'accepted' | 'rejected'}`,
 * `{decision: 'changed', to: {code, description}}` or `{decision: 'added', description}`,
 * each with the words the coder marked for it as `evidence`.
 */
export class Review extends EventTarget {
  #suggested = new Map();
  #decisions = new Map();
  #past = [];
  #future = [];

  /** Begins anew with the codes the model suggests, and decisions kept from before. */
  begin(suggested, decisions = []) {
    this.#suggested = new Map(suggested.map((code) => [code.code, code]));
    this.#decisions = new Map(decisions);
    this.#past = [];
    this.#future = [];
    this.#tell();
  }

  of(code) {
    return this.#decisions.get(code);
  }

  suggestion(code) {
    return this.#suggested.get(code);
  }

  get decisions() {
    return [...this.#decisions];
  }

  get added() {
    return this.decisions.filter(([, decision]) => decision.decision === 'added').map(([code, decision]) => ({ code, ...decision }));
  }

  /** The codes the document ends up with, most certain first and the coder's own last. */
  get final() {
    const kept = [...this.#suggested.values()].flatMap((suggestion) => {
      const decision = this.of(suggestion.code);
      if (decision?.decision === 'accepted') return [{ code: suggestion.code, description: suggestion.description, decision }];
      return decision?.decision === 'changed' ? [{ ...decision.to, from: suggestion.code, decision }] : [];
    });
    return kept.concat(this.added.map(({ code, description }) => ({ code, description, decision: this.of(code) })));
  }

  /** The suggestion that was changed into this code, if one was. */
  changedInto(code) {
    return this.decisions.find(([, { to }]) => to?.code === code)?.[0];
  }

  /** Suggestions outside the hidden band that wait for a word from the coder. */
  get open() {
    return [...this.#suggested.values()].filter(({ code, band }) => band !== 'hidden' && !this.of(code) && !this.changedInto(code));
  }

  isFinal(code) {
    return this.final.some((kept) => kept.code === code);
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Accepts or rejects; the same again takes it back. A code that others were changed into stands on its own from then on. */
  toggle(code, decision) {
    const before = this.of(code);
    const source = this.changedInto(code);
    if (source) {
      this.#change((decisions) => {
        if (decision === 'accepted') decisions.set(source, { decision: 'rejected' });
        else decisions.delete(source);
        decisions.set(code, { decision });
      });
    } else if (before?.decision === 'added') {
      if (decision === 'rejected') this.#change((decisions) => decisions.delete(code));
    } else if (before?.decision === decision) {
      this.#change((decisions) => decisions.delete(code));
    } else {
      this.#change((decisions) => decisions.set(code, { decision, ...evidenceOf(before) }));
    }
  }

  acceptAll(codes) {
    this.#change((decisions) => codes.forEach((code) => decisions.set(code, { decision: 'accepted', ...evidenceOf(decisions.get(code)) })));
  }

  /** A code found by search; one that the model suggests is accepted instead. */
  add({ code, description }, evidence = []) {
    const marked = evidence.length > 0 ? { evidence } : {};
    const decision = this.#suggested.has(code) ? { decision: 'accepted', ...marked } : { decision: 'added', description, ...marked };
    this.#change((decisions) => decisions.set(code, decision));
  }

  /** Another code instead of this one; where that one stands already, this one is merely dropped. */
  replace(code, { code: to, description }) {
    const before = this.of(code);
    const taken = this.isFinal(to);
    this.#change((decisions) => {
      if (!taken) decisions.delete(to); // rejected before, wanted now
      if (before?.decision === 'added') {
        decisions.delete(code);
        if (!taken) decisions.set(to, { ...before, description });
      } else {
        decisions.set(code, taken ? { decision: 'rejected' } : { decision: 'changed', to: { code: to, description }, ...evidenceOf(before) });
      }
    });
    return !taken;
  }

  /** Marks words of the note for a code, which thereby is accepted unless it was changed or added. */
  mark(marked, span) {
    const code = this.changedInto(marked) ?? marked;
    this.#change((decisions) => {
      const before = decisions.get(code);
      const keeps = before && before.decision !== 'rejected';
      const evidence = [...(before?.evidence ?? []), span];
      decisions.set(code, { ...(keeps ? before : { decision: 'accepted' }), evidence });
    });
  }

  undo() {
    this.#step(this.#past, this.#future);
  }

  redo() {
    this.#step(this.#future, this.#past);
  }

  /** The decisions as the server takes them. */
  toJson() {
    return this.decisions.map(([code, { decision, to, evidence }]) => ({
      code: to?.code ?? code,
      decision,
      ...(to && { from: code }),
      ...(evidence?.length > 0 && { evidence }),
    }));
  }

  #change(edit) {
    const next = new Map(this.#decisions);
    edit(next);
    this.#past.push(this.#decisions);
    this.#future = [];
    this.#decisions = next;
    this.#tell();
  }

  #step(from, to) {
    if (from.length === 0) return;
    to.push(this.#decisions);
    this.#decisions = from.pop();
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event('change'));
  }
}

const evidenceOf = (decision) => (decision?.evidence ? { evidence: decision.evidence } : {});
