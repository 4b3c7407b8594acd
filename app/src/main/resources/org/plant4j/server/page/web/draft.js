// The draft survives a reload of this tab. Note texts are stored only if the server stores them too.

const KEY = 'plant4j.draft';

/** A 53-bit hash of the notes (cyrb53), by which stored decisions are matched to their text. */
export function fingerprint(notes) {
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

export const draft = {
  /** Samples hold no patient data: if texts must not be stored, samples are stored by id and loaded again. */
  save({ notes, keepsText, ...rest }) {
    const storable = (note) => keepsText || note.sample;
    const stored = notes.every(storable) ? notes.map((note) => (note.sample && !keepsText ? { ...note, text: undefined } : note)) : null;
    const write = (storedNotes) => sessionStorage.setItem(KEY, JSON.stringify({ fingerprint: fingerprint(notes), notes: storedNotes, ...rest }));
    try {
      write(stored);
    } catch {
      write(null); // over the browser's quota: store at least the decisions
    }
  },

  load() {
    try {
      return JSON.parse(sessionStorage.getItem(KEY));
    } catch {
      return null;
    }
  },

  clear() {
    sessionStorage.removeItem(KEY);
  },
};
