// A draft per document, kept until it is submitted. Decisions contain no text and survive closing the tab; note texts are
// kept for this tab only, and only if the server stores them too.

const DECISIONS = 'plant4j.decisions.';
const NOTES = 'plant4j.notes.';
const OPEN = 'plant4j.open';
const MAX_DRAFTS = 200;

/** A 53-bit hash of the notes (cyrb53). */
function fingerprint(notes) {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const { text } of notes) {
    for (let i = 0; i <= text.length; i++) {
      const unit = i < text.length ? text.charCodeAt(i) : 0x1ffff;
      a = Math.imul(a ^ unit, 2654435761);
      b = Math.imul(b ^ unit, 1597334677);
    }
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** The id of the notes as one document. It depends on the first note only, so adding notes does not change it. */
export const documentId = (notes) => 'note-' + fingerprint(notes.slice(0, 1));

function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null;
  }
}

let user = 'local';

const all = () => read(localStorage, DECISIONS + user) ?? {};

const isUnfinished = ({ decisions, saved }) => decisions.length > 0 && !saved?.current;

/** Drops the oldest submitted drafts first. */
function prune(stored) {
  const ids = Object.keys(stored).sort((a, b) => isUnfinished(stored[a]) - isUnfinished(stored[b]) || stored[a].at - stored[b].at);
  ids.slice(0, Math.max(0, ids.length - MAX_DRAFTS)).forEach((id) => delete stored[id]);
  return stored;
}

export const drafts = {
  /** Users of the same browser have drafts of their own. */
  set user(name) {
    user = name;
  },

  /** `saved`: the receipt of the last submission, `current` if it has these decisions. */
  save(id, { notes, keepsText, decisions, comment, saved }) {
    localStorage.setItem(DECISIONS + user, JSON.stringify(prune({ ...all(), [id]: { decisions, comment, saved, at: Date.now() } })));
    sessionStorage.setItem(OPEN, id);
    // Samples hold no patient data: if texts must not be stored, samples are stored by id and loaded again.
    const storable = notes.every((note) => keepsText || note.sample);
    const stored = notes.map((note) => (note.sample && !keepsText ? { ...note, text: undefined } : note));
    try {
      if (storable) sessionStorage.setItem(NOTES + id, JSON.stringify(stored));
    } catch {
      sessionStorage.removeItem(NOTES + id); // over the browser's quota: the decisions are stored
    }
  },

  /** Adds a receipt to the draft of a document that is no longer open; `sent`: the JSON of the submitted decisions. */
  saveReceipt(id, saved, sent) {
    const stored = all();
    if (!stored[id]) return;
    const current = JSON.stringify(stored[id].decisions) === sent;
    localStorage.setItem(DECISIONS + user, JSON.stringify({ ...stored, [id]: { ...stored[id], saved: { ...saved, current } } }));
  },

  /** The decisions, comment and receipt of a document, and its notes if this tab has them. */
  load(id) {
    const stored = all()[id];
    return stored ? { ...stored, notes: read(sessionStorage, NOTES + id) } : null;
  },

  /** Forgets the draft of a document. */
  remove(id) {
    const { [id]: removed, ...others } = all();
    localStorage.setItem(DECISIONS + user, JSON.stringify(others));
    sessionStorage.removeItem(NOTES + id);
  },

  /** The document that was open before a reload. */
  get openId() {
    return sessionStorage.getItem(OPEN);
  },

  /** Unfinished drafts whose notes this tab has, latest first: `{id, notes, decisions}`. */
  get unfinished() {
    return Object.entries(all())
      .filter(([, draft]) => isUnfinished(draft))
      .sort(([, a], [, b]) => b.at - a.at)
      .map(([id, draft]) => ({ id, ...draft, notes: read(sessionStorage, NOTES + id) }))
      .filter(({ notes }) => notes);
  },

  /** Whether there are decisions for notes that this tab does not have. */
  get hasDetached() {
    return Object.entries(all()).some(([id, draft]) => isUnfinished(draft) && sessionStorage.getItem(NOTES + id) === null);
  },

  /** Forgets all texts, at sign-out. Decisions stay until their notes are opened again. */
  forgetTexts() {
    Object.keys(sessionStorage).filter((key) => key.startsWith(NOTES)).forEach((key) => sessionStorage.removeItem(key));
    sessionStorage.removeItem(OPEN);
  },
};

/** Drops marked spans outside the notes, which may have been opened without some that were added later. */
export function fitting(decisions, notes) {
  const lengths = new Map(notes.map(({ id, text }) => [id, text.length]));
  return decisions.map(([code, decision]) => [code, decision.evidence
    ? { ...decision, evidence: decision.evidence.filter(({ document, end }) => end <= (lengths.get(document) ?? -1)) }
    : decision]);
}
