// Connects the worklist with the coding page: opens encounters, submits second reviews, and continues with the next encounter.

import { open, review, showError, state } from './actions.js';
import { api } from './api.js';
import { drafts } from './drafts.js';
import { announce, notify } from './notices.js';
import { assigned, changesOf, explainChanges, showSecondReview, toDecisions } from './second-review.js';
import { newKey } from './submission.js';
import { Worklist, toNotes } from './worklist.js';

export const worklist = new Worklist();

const isSecond = () => state.encounter?.state === 'second_review';

worklist.addEventListener('open', ({ detail }) => openEncounter(detail));

async function openEncounter({ encounter, result }) {
  const notes = toNotes(encounter);
  if (encounter.state !== 'second_review') {
    showSecondReview(null);
    await open(notes, { id: encounter.id, encounter, result });
  } else {
    const coding = result ?? api.code(notes);
    const draft = drafts.load('second-review:' + encounter.id)?.decisions;
    const decisions = draft ?? await coding.then(({ codes }) => toDecisions(encounter.firstReview, codes), () => []);
    await open(notes, { id: 'second-review:' + encounter.id, decisions, encounter, result: coding });
    showSecondReview(encounter, () => submitSecond([]));
  }
  if (state.encounter?.id === encounter.id && state.result) worklist.prepareNext(encounter.id, isSecond());
}

/** A coder who decides something keeps the claim. */
review.addEventListener('change', () => { if (state.encounter && state.result) worklist.renew(state.encounter.id); });

/** The page has opened a note that is not on the worklist. */
addEventListener('note-opened', () => {
  if (state.encounter) return;
  worklist.forget();
  showSecondReview(null);
});

/** Opens the encounter again after a conflict, with the documents that have arrived; the draft keeps the decisions. */
addEventListener('reopen-encounter', () => worklist.open(state.encounter.id));

/** After a review is stored, continues with the next encounter. */
addEventListener('review-stored', ({ detail: id }) => {
  if (state.encounter?.id === id) nextEncounter();
});

function nextEncounter() {
  return worklist.openNext(state.encounter?.id, isSecond());
}

/** Leaves the open encounter to others, unless something is decided: then its claim continues until it expires. */
export async function skipEncounter() {
  const id = state.encounter?.id;
  const decided = isSecond() ? changes().length > 0 : review.decisions.length > 0;
  if (await nextEncounter() && id && !decided) worklist.release(id);
}

/** What a second review changes in the codes of the first. */
const changes = () => changesOf(assigned(state.encounter.firstReview), review.final);

/** Agrees with the first review, if a second review is open. */
export function agree() {
  if (isSecond()) submitSecond([]);
}

/** Submits the codes of a second review; returns false if none is open. */
export function submitSecondReview() {
  if (!isSecond()) return false;
  const changed = changes();
  if (changed.length === 0) submitSecond([]);
  else explainChanges(changed).then((explained) => explained && submitSecond(explained));
  return true;
}

/** A retry uses the same key, so that the review is stored once. */
async function submitSecond(changes, key = newKey()) {
  const { encounter } = state;
  try {
    await api.secondReview({ id: encounter.id, review: encounter.reviewId, changes }, key);
    drafts.remove('second-review:' + encounter.id);
    notify(changes.length === 0 ? 'You agreed with ' + encounter.coder + '.' : 'Second review saved.');
    announce('Second review saved');
    nextEncounter();
  } catch (error) {
    showError(error, () => submitSecond(changes, key));
  }
}
