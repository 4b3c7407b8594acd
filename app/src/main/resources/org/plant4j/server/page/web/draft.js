// What survives a reload, in this tab only. The notes' text is kept only where the server keeps it too.

const KEY = 'desk.draft';

/** A fingerprint of the notes, by which decisions find their text again (two 32-bit mixes, 53 bits of them used). */
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
  /** Samples are no one's notes, so they are named and opened again even where no text is kept. */
  save({ notes, keepsText, ...rest }) {
    const mayKeep = (note) => keepsText || note.sample;
    const kept = notes.every(mayKeep) ? notes.map((note) => (note.sample && !keepsText ? { ...note, text: undefined } : note)) : null;
    const write = (those) => sessionStorage.setItem(KEY, JSON.stringify({ fingerprint: fingerprint(notes), notes: those, ...rest }));
    try {
      write(kept);
    } catch {
      write(null); // fuller than the browser allows: at least the decisions
    }
  },

  load() {
    try {
      return JSON.parse(sessionStorage.getItem(KEY));
    } catch {
      return null;
    }
  },

  drop() {
    sessionStorage.removeItem(KEY);
  },
};
