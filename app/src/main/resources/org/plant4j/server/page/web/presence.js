// Present-on-admission flags, as on the UB-04 claim form, in the order in which one key steps through them.

export const PRESENCE = {
  '': { text: 'not set' },
  Y: { text: 'yes' },
  N: { text: 'no' },
  U: { text: 'documentation insufficient' },
  W: { text: 'clinically undetermined' },
  1: { text: 'exempt' },
};

const ORDER = ['', 'Y', 'N', 'U', 'W', '1'];

/** The flag after this one; undefined for none. */
export const nextPresence = (value = '') => ORDER[(ORDER.indexOf(value) + 1) % ORDER.length] || undefined;
