// Traits of evidence: the context in which a mention does not, or may not, describe the patient's present condition.

import { h } from './dom.js';

const LABELS = { negated: 'negated', family: 'family history', hypothetical: 'hypothetical', historical: 'history of', typical: 'typical' };
const CONTRADICTING = ['negated', 'family'];

const label = (trait) => LABELS[trait] ?? trait;

const distinct = (evidence) => Object.keys(LABELS).filter((trait) => evidence.some(({ traits = [] }) => traits.includes(trait)));

/** Whether a mention is negated or about a relative, and so no evidence for a code of the patient, unless it is typical. */
export const contradicts = ({ traits = [] }) => !traits.includes('typical') && traits.some((trait) => CONTRADICTING.includes(trait));

const tag = (trait) => h('span', { class: CONTRADICTING.includes(trait) ? 'tag warn' : 'tag' }, label(trait));

export const traitTags = ({ traits = [] }) => traits.map(tag);

/** The traits of an evidence span as text for screen readers. */
export const spokenTraits = ({ traits = [] }) => traits.map((trait) => ', ' + label(trait)).join('');

/** All traits of a code's evidence. */
export const traitsOf = ({ evidence = [] }) => distinct(evidence);

/** The traits that contradict all evidence of a code; empty if some of it supports the code. */
export const contradictions = ({ evidence = [] }) =>
  (evidence.length > 0 && evidence.every(contradicts) ? distinct(evidence).filter((trait) => CONTRADICTING.includes(trait)) : []);

export const contradictionTags = (code) => contradictions(code).map(tag);

/** Why a code's evidence does not support it, as a sentence; empty if it does. */
export function contradictionText(code) {
  const found = contradictions(code);
  if (found.length === 0) return '';
  return 'All evidence is ' + { negated: 'negated', family: 'about relatives' }[found[0]] + (found.length > 1 ? ' or about relatives' : '') + '. Check the note before you accept this code.';
}
