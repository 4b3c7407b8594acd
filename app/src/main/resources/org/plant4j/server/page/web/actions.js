// The coder's actions and the page state. main.js binds them to clicks, keys and events.

import { ApiError, api } from './api.js';
import { CodeList } from './code-list.js';
import { cyclePresence } from './code-order.js';
import { $, icon, plural } from './dom.js';
import { documentId, drafts, fitting } from './drafts.js';
import { Explanations } from './explanations.js';
import { Inspector } from './inspector.js';
import { NoteView } from './note-view.js';
import { announce, notify, showAlert, showBanner } from './notices.js';
import { Opener } from './opener.js';
import { Picker, billableFirst } from './picker.js';
import { Review } from './review.js';
import { SelectionCard, codesFor } from './selection-card.js';
import { Submission, confirmSubmission } from './submission.js';
import { contradicts, spokenTraits, traitsOf } from './traits.js';
import { workTimer } from './work-timer.js';

export const review = new Review();
export const view = new NoteView({ scroller: $('note-scroll'), content: $('note'), ruler: $('ruler'), outline: $('outline') });
export const list = new CodeList($('code-list'), review);
export const inspector = new Inspector($('inspector'), view);
export const opener = new Opener();
const picker = new Picker();
export const card = new SelectionCard($('selection-card'));
export const explanations = new Explanations();
const submission = new Submission();

/**
 * The page state: the open notes and their id as one document, the coding result, whether hidden codes were shown, the active code with the index of its
 * current evidence span, the receipt of the last submission, and the pending request.
 */
export const state = { model: null, notes: [], document: null, encounter: null, result: null, hiddenShown: false, active: null, evidenceIndex: -1, saved: null, request: null };

// Opening and coding

/** Opens notes as one document, with its draft unless decisions are given; `encounter`: the one of the worklist; `result`: the promise of its codes. */
export async function open(notes, { id = documentId(notes), decisions = null, encounter = null, result = null } = {}) {
  cancelRetry();
  const draft = drafts.load(id);
  state.notes = withIds(notes);
  state.document = id;
  state.encounter = encounter;
  state.result = null;
  workTimer.open(id);
  state.hiddenShown = false;
  state.saved = encounter ? null : draft?.saved ?? null; // a reopened encounter is submitted again
  $('comment').value = draft?.comment ?? '';
  card.hide();
  inspector.hide();
  state.active = null;
  const restored = fitting(decisions ?? draft?.decisions ?? [], state.notes);
  review.reset([], restored);
  $('start').hidden = true;
  $('note-scroll').hidden = false;
  view.show(state.notes, encounter ? null : remove);
  dispatchEvent(new Event('note-opened'));
  document.title = (state.notes[0].title || 'Note') + ' · Plant4j';
  await code(restored, result);
  if (!decisions && restored.length > 0 && !isCurrent()) notify('Your draft of this note is restored.');
}

/** Gives each note a unique id that does not change when other notes are added or removed. */
function withIds(notes) {
  let last = Math.max(0, ...notes.map(({ id }) => Number(id?.slice('note-'.length) ?? 0) || 0));
  return notes.map((note) => ({ ...note, id: note.id ?? 'note-' + ++last }));
}

/** Removes a note and the spans marked in it. */
function remove(note) {
  const inOtherNotes = (spans) => spans?.filter((span) => span.document !== note.id);
  const decisions = review.decisions.map(([code, decision]) => [code, { ...decision, evidence: inOtherNotes(decision.evidence) }]);
  open(state.notes.filter((each) => each !== note), { id: state.document, decisions });
}

async function code(decisions, prepared = null) {
  state.request?.abort();
  const request = new AbortController();
  state.request = request;
  showAlert(null);
  showBanner(null);
  list.showLoading();
  announce('Coding the note');
  try {
    const notes = state.notes.map(({ id, title, text }) => ({ id, title, text }));
    explanations.reset(notes);
    const result = await (prepared ?? api.code(notes, { signal: request.signal, onWait: showBusy }));
    if (state.request !== request) return; // another note was opened meanwhile
    showAlert(null);
    state.result = result;
    review.reset(result.codes, decisions);
    showBanner(outOfDomain() ? result.reason : null);
    list.show(result.codes, { bands: state.model?.bands ?? [], inDomain: !outOfDomain() });
    refresh();
    showUnderlines();
    const count = (band) => result.codes.filter((code) => code.band === band).length;
    announce((outOfDomain() ? 'This text does not resemble the documents the model was trained on. ' + result.reason + ' ' : '')
      + plural(count('suggest'), 'code') + ' suggested, ' + count('review') + ' to review');
    const first = list.visible[0];
    if (first) activate(first, { focus: document.activeElement === document.body });
  } catch (error) {
    if (error.name === 'AbortError') return;
    list.showEmpty('No codes yet.');
    showError(error, () => code(decisions));
  }
}

const outOfDomain = () => state.result?.inDomain === false;

const showBusy = (seconds) => showAlert(new ApiError(429, 'The server is busy', '', 'Retrying in ' + plural(seconds, 'second') + '.'));

let retryOnline = null;

/** Forgets the action that waits for the network: it belongs to the note that was open when it failed. */
function cancelRetry() {
  if (retryOnline) removeEventListener('online', retryOnline);
  retryOnline = null;
}

/** Shows an API error with a way out; any other error is a bug of the page and is rethrown. */
export function showError(error, retryAction) {
  if (!(error instanceof ApiError)) throw error;
  const retryable = error.status === 0 || error.status === 429 || error.status >= 500;
  cancelRetry();
  const retry = () => {
    cancelRetry();
    showAlert(null);
    retryAction();
  };
  if (error.status === 0) {
    retryOnline = retry;
    addEventListener('online', retry);
  }
  if (error.status === 409) {
    showAlert(error, [state.encounter
      ? { label: 'Open again', run: () => dispatchEvent(new Event('reopen-encounter')) }
      : { label: 'Code again', run: () => code(review.decisions) }]);
    return;
  }
  const alternatives = state.result ? [] : [{ label: 'Open another note', run: openNote }];
  showAlert(error, retryable ? [{ label: 'Try again', run: retry }] : alternatives);
}

// The active code

/** The spans that the coder marked, then the model's evidence by weight. */
function evidenceOf(code) {
  const predicted = [...((review.suggestion(code) ?? explanations.get(code))?.evidence ?? [])].sort((a, b) => b.weight - a.weight);
  return [...(review.decision(code)?.evidence ?? []), ...predicted];
}

export function activate(code, { focus = false } = {}) {
  state.active = code;
  state.evidenceIndex = -1;
  list.activate(code, focus);
  inspect();
  const [strongest] = evidenceOf(code);
  if (strongest) view.reveal(strongest);
}

/** Shows the code under the pointer in the note and in the inspector; null shows the active code again. */
export function preview(code) {
  if (code === null || code === state.active || !codeOf(code)) {
    if (state.active) inspect();
    return;
  }
  inspector.show(codeOf(code), evidenceOf(code), { preview: true });
  inspector.setCurrent(-1);
  highlightEvidence(code);
}

const codeOf = (code) => review.suggestion(code) ?? review.added.find((each) => each.code === code);

export function inspect() {
  const { active } = state;
  if (!codeOf(active)) {
    inspector.hide();
    view.highlight([]);
    return;
  }
  inspector.show(codeOf(active), evidenceOf(active));
  inspector.setCurrent(state.evidenceIndex);
  highlightEvidence(active, state.evidenceIndex);
  if (explanations.get(active)) inspector.explain(explanations.get(active));
  requestExplanation(active);
}

/** Requests an explanation if the model provides more than evidence in the note and covers the code. */
async function requestExplanation(code) {
  const { descriptions, views } = state.model?.explains ?? {}; // a note can be opened before the model is known
  if (!descriptions && !views) return;
  const inModel = review.suggestion(code) || (await inspector.details(code).catch(() => null))?.inModel;
  if (inModel && code === state.active) explanations.request(code);
}

/** Shows a loaded explanation. Rebuilds the inspector only for added codes, whose evidence comes with the explanation. */
export function showExplanation(code) {
  if (code !== state.active) return;
  if (review.suggestion(code)) inspector.explain(explanations.get(code));
  else inspect();
}

/** Highlights the model's evidence; spans that the coder marked are always highlighted. */
export function highlightEvidence(code, index = -1) {
  const spans = evidenceOf(code);
  view.highlight(spans.filter((span) => span.weight !== undefined), spans[index]);
}

export function stepEvidence(by) {
  const count = evidenceOf(state.active).length;
  if (count === 0) return;
  showEvidence(state.evidenceIndex < 0 && by < 0 ? count - 1 : (state.evidenceIndex + by + count) % count);
}

export function showEvidence(index) {
  const spans = evidenceOf(state.active);
  state.evidenceIndex = index;
  inspector.setCurrent(index);
  highlightEvidence(state.active, index);
  view.reveal(spans[index]);
  announce(index + 1 + ' of ' + spans.length + ': ' + view.text(spans[index]) + spokenTraits(spans[index]));
}

export function stepCode(by) {
  const codes = list.visible;
  const at = codes.indexOf(state.active);
  const next = codes[at < 0 ? 0 : Math.min(Math.max(at + by, 0), codes.length - 1)];
  if (next) activate(next, { focus: true });
}

const undecidedCodes = ()  => review.undecided.map(({ code }) => code);

export function nextUndecided() {
  const codes = list.visible;
  const at = codes.indexOf(state.active);
  const undecided = undecidedCodes();
  const next = undecided.find((code) => codes.indexOf(code) > at) ?? undecided[0];
  if (next) activate(next, { focus: true });
  else announce('All codes are decided');
  return next;
}

export function showUnderlines() {
  const suggested = state.result.codes.filter(({ code, band }) => band === 'suggest' && review.decision(code)?.decision !== 'rejected');
  view.underline(suggested.flatMap(({ evidence }) => evidence ?? []).filter((span) => !contradicts(span)), review.decisions.flatMap(([, { evidence }]) => evidence ?? []));
}

// Decisions

/** With `advance` (keyboard), continues with the next undecided code; a click stays at the code. */
export function decide(code, decision, { advance = false } = {}) {
  if (!code || !state.result) return;
  review.toggle(code, decision);
  announce(code + ' ' + (review.decision(code)?.decision ?? 'undecided'));
  if (advance && review.decision(code)?.decision === decision) nextUndecided();
}

/** The code that is assigned by the decision on the active row, if any. */
function assignedByActive() {
  return review.final.find(({ code, from }) => (from ?? code) === state.active)?.code;
}

export function makePrincipal() {
  const code = assignedByActive();
  if (!code) return announce('Accept the code first');
  review.moveTo(code, 0);
  return announce(code + ' is the principal diagnosis');
}

export function stepPresence() {
  const code = assignedByActive();
  if (!code) return announce('Accept the code first');
  return announce(code + ', present on admission: ' + cyclePresence(review, code).text);
}

export function acceptSuggested() {
  if (outOfDomain()) {
    announce('Not available: decide each code, because the model does not know texts like this one');
    return;
  }
  const suggested = review.undecided.filter(({ band }) => band === 'suggest').map(({ code }) => code);
  if (suggested.length === 0) return;
  review.acceptAll(suggested);
  notify(plural(suggested.length, 'suggested code') + ' accepted.', { action: { label: 'Undo', run: () => review.undo() } });
}

export async function addCode(span = card.span) {
  if (!state.result) return;
  card.hide();
  const evidence = span && { document: span.document, start: span.start, end: span.end };
  const chosen = await picker.pick({
    label: 'Add a code: type a code or words of its description',
    context: span ? 'For “' + span.text.slice(0, 90) + '”' : '',
    query: span && span.text.length <= 40 ? span.text : '',
  });
  if (!chosen) return;
  if (review.isFinal(chosen.code) && !evidence) notify(chosen.code + ' is already assigned.');
  else if (review.isFinal(chosen.code)) review.mark(chosen.code, evidence);
  else review.add(chosen, evidence ? [evidence] : []);
  announce(chosen.code + ' added');
  activate(chosen.code, { focus: true });
}

export async function changeCode() {
  const { active } = state;
  if (!active || !state.result) return;
  const relatedGroups = ({ children, siblings, parents }) => [
    { title: 'More specific', codes: billableFirst(children) },
    { title: 'Siblings', codes: billableFirst(siblings) },
    { title: 'Broader', codes: billableFirst(parents) },
  ];
  const chosen = await picker.pick({
    label: 'Replace ' + active + ': choose a code or search',
    context: active + ' ' + codeOf(active).description,
    related: inspector.details(active).then(relatedGroups, () => []),
  });
  if (chosen) replaceActive(chosen);
}

export function replaceActive(other) {
  const { active } = state;
  const added = review.decision(active)?.decision === 'added';
  if (other.code === active) return;
  const replaced = review.replace(active, other);
  notify(replaced ? active + ' changed to ' + other.code + '.' : other.code + ' is already assigned; ' + active + ' was removed.',
    { action: { label: 'Undo', run: () => review.undo() } });
  activate(added ? other.code : active, { focus: true });
}

export function markSelection(span = card.span ?? view.selection()) {
  if (!span || !state.active) return;
  card.hide();
  getSelection().removeAllRanges();
  review.mark(state.active, { document: span.document, start: span.start, end: span.end });
  notify('Marked as evidence for ' + state.active + '.', { action: { label: 'Undo', run: () => review.undo() } });
}

// The selection

export function showSelection() {
  const span = state.result && view.selection();
  if (!span) {
    card.hide();
    return;
  }
  const matches = codesFor(span, state.result.codes);
  card.show(span, matches, state.active);
  announce(matches.length === 0 ? 'No codes for these words'
    : plural(matches.length, 'code') + ': ' + matches.slice(0, 3).map(({ code }) => code.code + ' ' + code.description).join('; '));
}

// Submission

export const toRequest = () => ({
  encounter: { id: state.document, ...(state.encounter?.date && { date: state.encounter.date }), documents: state.notes.map(({ id, title, text }) => ({ id, title, text })) },
  version: state.result.version,
  inDomain: state.result.inDomain,
  ...(outOfDomain() && { reason: state.result.reason }),
  shown: state.result.codes.filter(({ code, band }) => band !== 'hidden' || state.hiddenShown || review.decision(code))
    .map((code) => ({ code: code.code, probability: code.probability, band: code.band, traits: traitsOf(code) })),
  decisions: review.toJson(),
  ...($('comment').value.trim() && { comment: $('comment').value.trim() }),
  seconds: workTimer.seconds,
});

export async function submit() {
  if ($('submit-button').disabled) return;
  if (!await confirmSubmission(review, undecidedCodes, state.encounter?.date)) return;
  await sendReview({
    document: state.document,
    request: toRequest(),
    json: JSON.stringify(review.toJson()),
    decisions: JSON.stringify(review.decisions),
  });
}

/** Sends a review as it was confirmed. The coder may open another note meanwhile, so the receipt goes to its own document. */
async function sendReview(sent) {
  const isOpen = () => state.document === sent.document;
  $('submit-button').disabled = true;
  try {
    const { id, at } = await submission.send(sent.request, { onWait: (seconds) => isOpen() && showBusy(seconds) });
    const saved = { id, at, decisions: sent.json };
    if (isOpen()) {
      showAlert(null);
      state.saved = saved;
      saveDraft();
    } else {
      drafts.saveReceipt(sent.document, saved, sent.decisions);
    }
    notify('Review saved.', state.encounter ? {} : { action: { label: 'Next note', run: openNote }, seconds: 8 });
    announce('Review saved');
    dispatchEvent(new CustomEvent('review-stored', { detail: sent.document }));
  } catch (error) {
    const retry = () => sendReview(sent);
    if (isOpen() || !(error instanceof ApiError)) showError(error, retry);
    else notify('The review of another note was not saved: ' + error.message, { error: true, action: { label: 'Try again', run: retry }, seconds: 60 });
  } finally {
    refresh();
  }
}

/** Whether the decisions are those of the last submission. */
const isCurrent = () => state.saved?.decisions === JSON.stringify(review.toJson());

export function openNote() {
  opener.drafts = drafts.unfinished.filter(({ id }) => id !== state.document);
  opener.show(state.notes.length > 0, state.encounter === null);
}

/** Updates everything that depends on the decisions, except the rows, which update themselves. */
export function refresh() {
  const { result, saved } = state;
  const undecided = review.undecided;
  const current = isCurrent();
  $('undo-button').disabled = !review.canUndo;
  $('redo-button').disabled = !review.canRedo;
  $('add-button').hidden = !result;
  $('submit-button').disabled = !result || review.decisions.length === 0 || current;
  $('export-button').disabled = !result;
  $('accept-all-button').hidden = !outOfDomain() && !undecided.some(({ band }) => band === 'suggest');
  $('accept-all-button').disabled = outOfDomain();
  $('accept-all-button').title = outOfDomain() ? 'Not available: the model does not know texts like this one' : '';
  const total = review.suggestions.filter(({ band }) => band !== 'hidden').length;
  $('progress').textContent = !result ? '' : (total - undecided.length) + ' of ' + total + ' decided';
  $('progress').title = plural(review.final.length, 'code') + ' kept';
  $('save-status').replaceChildren(...(saved ? [icon(current ? 'accept' : 'undo'), current
    ? 'Saved ' + new Date(saved.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : 'Changed since last save'] : []));
  $('save-status').classList.toggle('stale', Boolean(saved) && !current);
  $('signout-button').hidden = !api.signedIn();
}

export function saveDraft() {
  if (state.notes.length > 0 && state.model) {
    drafts.save(state.document, {
      notes: state.notes,
      keepsText: state.model.keepsText && !state.encounter, // the worklist has the texts
      decisions: review.decisions,
      comment: $('comment').value,
      saved: state.saved && { ...state.saved, current: isCurrent() },
    });
  }
}
