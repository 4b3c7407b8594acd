// What a coder does at the desk; `main.js` says which click or key does it.

import { ApiError, api } from './server.js';
import { CodeList } from './code-list.js';
import { $, icon, plural } from './dom.js';
import { draft } from './draft.js';
import { Inspector } from './inspector.js';
import { NoteView } from './note-view.js';
import { alertWith, announce, notify } from './notices.js';
import { Opener } from './opener.js';
import { Picker } from './picker.js';
import { Review } from './review.js';
import { Submission, confirmSubmission } from './submission.js';
import { Why } from './why.js';
import { WordsCard, codesFor } from './words.js';

export const review = new Review();
export const view = new NoteView({ scroller: $('note-scroll'), sheet: $('note'), ruler: $('ruler'), outline: $('outline') });
export const list = new CodeList($('code-list'), review);
export const inspector = new Inspector($('inspector'), view);
export const opener = new Opener();
const picker = new Picker();
export const card = new WordsCard($('words'));
export const why = new Why();
const submission = new Submission();

/** What is open: the notes, the server's answer, what of it was seen, and where the coder stands. */
export const desk = { model: null, notes: [], answer: null, sawHidden: false, active: null, piece: -1, saved: null, request: null };

// Opening and coding

export async function open(notes, { decisions = [], saved = null } = {}) {
  desk.notes = numbered(notes);
  desk.answer = null;
  desk.sawHidden = false;
  desk.saved = saved;
  card.hide();
  inspector.hide();
  desk.active = null;
  review.begin([], decisions);
  $('start').hidden = true;
  $('note-scroll').hidden = false;
  view.show(desk.notes, remove);
  document.title = (desk.notes[0].title || 'Note') + ' · Plant4j';
  await code(decisions);
}

/** Every note has an id of its own, which it keeps when others come and go. */
function numbered(notes) {
  let last = Math.max(0, ...notes.map(({ id }) => Number(id?.slice('note-'.length) ?? 0)));
  return notes.map((note) => ({ ...note, id: note.id ?? 'note-' + ++last }));
}

/** Without the note, and without the words marked in it. */
function remove(note) {
  const elsewhere = (spans) => spans?.filter((span) => span.note !== note.id);
  const decisions = review.decisions.map(([code, decision]) => [code, { ...decision, evidence: elsewhere(decision.evidence) }]);
  open(desk.notes.filter((each) => each !== note), { decisions });
}

async function code(decisions) {
  desk.request?.abort();
  const request = new AbortController();
  desk.request = request;
  alertWith(null);
  list.wait();
  announce('Coding the note');
  try {
    const notes = desk.notes.map(({ id, title, text }) => ({ id, title, text }));
    why.begin(notes);
    const answer = await api.code(notes, { signal: request.signal, onWait: busy });
    alertWith(null);
    desk.answer = answer;
    review.begin(answer.codes, decisions);
    list.show(answer.codes, desk.model.bands ?? []);
    refresh();
    restUnderlines();
    const bands = (band) => answer.codes.filter((each) => each.band === band).length;
    announce(plural(bands('suggest'), 'code') + ' suggested, ' + bands('review') + ' to review');
    const first = list.visible[0];
    if (first) activate(first, { focus: document.activeElement === document.body });
  } catch (error) {
    if (error.name === 'AbortError') return;
    list.empty('No codes yet.');
    stuck(error, () => code(decisions));
  }
}

const busy = (seconds) => alertWith(new ApiError(429, 'The server is busy', '', 'Trying again in ' + plural(seconds, 'second') + '.'));

/** An error the coder can do something about; anything else is a fault of the page and goes to the console. */
export function stuck(error, again) {
  if (!(error instanceof ApiError)) throw error;
  const mends = error.status === 0 || error.status === 429 || error.status >= 500;
  const retry = () => {
    removeEventListener('online', retry);
    alertWith(null);
    again();
  };
  if (error.status === 0) addEventListener('online', retry, { once: true });
  const elsewhere = desk.answer ? [] : [{ label: 'Open another note', run: openNote }];
  alertWith(error, mends ? [{ label: 'Try again', run: retry }] : elsewhere);
}

// Looking at a code

/** The coder's own words first, then what the model took as evidence, strongest first. */
function piecesOf(code) {
  const found = [...((review.suggestion(code) ?? why.of(code))?.evidence ?? [])].sort((a, b) => b.weight - a.weight);
  return [...(review.of(code)?.evidence ?? []), ...found];
}

export function activate(code, { focus = false } = {}) {
  desk.active = code;
  desk.piece = -1;
  list.activate(code, focus);
  inspect();
}

const subject = (code) => review.suggestion(code) ?? review.added.find((each) => each.code === code);

export function inspect() {
  const { active } = desk;
  if (!subject(active)) {
    inspector.hide();
    view.light([]);
    return;
  }
  const pieces = piecesOf(active);
  inspector.show(subject(active), pieces);
  inspector.walkTo(desk.piece);
  light(active, desk.piece);
  if (why.of(active)) inspector.explain(why.of(active));
  wonder(active);
}

/** Asks why, where the model has more to tell than the list shows, and learned the code. */
async function wonder(code) {
  const { descriptions, views } = desk.model.explains;
  if (!descriptions && !views) return;
  const known = review.suggestion(code) || (await inspector.entry(code).catch(() => null))?.known;
  if (known && code === desk.active) why.want(code);
}

/** Shows what was told without building the rest anew, unless it brings evidence that was not there. */
export function explained(code) {
  if (code !== desk.active) return;
  if (review.suggestion(code)) inspector.explain(why.of(code));
  else inspect();
}

/** Lights what the model took as evidence; the coder's own words have their colour anyway. */
export function light(code, piece = -1) {
  const pieces = piecesOf(code);
  view.light(pieces.filter((each) => each.weight !== undefined), pieces[piece]);
}

export function walk(by) {
  const pieces = piecesOf(desk.active);
  if (pieces.length === 0) return;
  walkTo(desk.piece < 0 && by < 0 ? pieces.length - 1 : (desk.piece + by + pieces.length) % pieces.length);
}

export function walkTo(index) {
  const pieces = piecesOf(desk.active);
  desk.piece = index;
  inspector.walkTo(index);
  light(desk.active, index);
  view.reveal(pieces[index]);
  announce(index + 1 + ' of ' + pieces.length + ': ' + view.text(pieces[index]));
}

export function step(by) {
  const codes = list.visible;
  const at = codes.indexOf(desk.active);
  const next = codes[at < 0 ? 0 : Math.min(Math.max(at + by, 0), codes.length - 1)];
  if (next) activate(next, { focus: true });
}

const undecided = () => review.open.map(({ code }) => code);

export function nextUndecided() {
  const codes = list.visible;
  const at = codes.indexOf(desk.active);
  const open = undecided();
  const next = open.find((code) => codes.indexOf(code) > at) ?? open[0];
  if (next) activate(next, { focus: true });
  else announce('Every code is decided');
  return next;
}

export function restUnderlines() {
  const suggested = desk.answer.codes.filter(({ code, band }) => band === 'suggest' && review.of(code)?.decision !== 'rejected');
  view.underline(suggested.flatMap(({ evidence }) => evidence ?? []), review.decisions.flatMap(([, { evidence }]) => evidence ?? []));
}

// Deciding

/** By key the desk goes on to the next open code; a click stays where it is. */
export function decide(code, decision, { advance = false } = {}) {
  if (!code || !desk.answer) return;
  review.toggle(code, decision);
  announce(code + ' ' + (review.of(code)?.decision ?? 'undecided'));
  if (advance && review.of(code)?.decision === decision) nextUndecided();
}

export function acceptSuggested() {
  const open = review.open.filter(({ band }) => band === 'suggest').map(({ code }) => code);
  if (open.length === 0) return;
  review.acceptAll(open);
  notify(plural(open.length, 'suggested code') + ' accepted.', { action: { label: 'Undo', run: () => review.undo() } });
}

export async function addCode(span = card.span) {
  if (!desk.answer) return;
  card.hide();
  const words = span && { note: span.note, start: span.start, end: span.end };
  const chosen = await picker.pick({
    label: 'Add a code: type a code or words',
    context: span ? 'For “' + span.text.slice(0, 90) + '”' : '',
    query: span && span.text.length <= 40 ? span.text : '',
  });
  if (!chosen) return;
  if (review.isFinal(chosen.code) && !words) notify(chosen.code + ' is kept already.');
  else if (review.isFinal(chosen.code)) review.mark(chosen.code, words);
  else review.add(chosen, words ? [words] : []);
  announce(chosen.code + ' added');
  activate(chosen.code, { focus: true });
}

export async function changeCode() {
  const { active } = desk;
  if (!active || !desk.answer) return;
  const family = ({ children, siblings, parents }) => [
    { title: 'More specific', codes: children },
    { title: 'Siblings', codes: siblings },
    { title: 'Broader', codes: parents },
  ];
  const chosen = await picker.pick({
    label: 'Instead of ' + active + ': choose below, or search',
    context: active + ' ' + subject(active).description,
    neighbours: inspector.entry(active).then(family, () => []),
  });
  if (chosen) replaceActive(chosen);
}

export function replaceActive(other) {
  const { active } = desk;
  const added = review.of(active)?.decision === 'added';
  if (other.code === active) return;
  const replaced = review.replace(active, other);
  notify(replaced ? active + ' changed to ' + other.code + '.' : other.code + ' is kept already; ' + active + ' is dropped.',
    { action: { label: 'Undo', run: () => review.undo() } });
  activate(added ? other.code : active, { focus: true });
}

export function markWords(span = card.span ?? view.selection()) {
  if (!span || !desk.active) return;
  card.hide();
  getSelection().removeAllRanges();
  review.mark(desk.active, { note: span.note, start: span.start, end: span.end });
  notify('Marked as evidence for ' + desk.active + '.', { action: { label: 'Undo', run: () => review.undo() } });
}

// Words of the note

export function lookAtSelection() {
  const span = desk.answer && view.selection();
  if (!span) {
    card.hide();
    return;
  }
  const speaking = codesFor(span, desk.answer.codes);
  card.show(span, speaking, desk.active);
  announce(speaking.length === 0 ? 'No code for these words'
    : plural(speaking.length, 'code') + ': ' + speaking.slice(0, 3).map(({ code }) => code.code + ' ' + code.description).join('; '));
}

// Handing in

export const request = () => ({
  document: { notes: desk.notes.map(({ id, title, text }) => ({ id, title, text })) },
  version: desk.answer.version,
  shown: desk.answer.codes.filter(({ band }) => band !== 'hidden' || desk.sawHidden).map(({ code, probability: p, band }) => ({ code, probability: p, band })),
  decisions: review.toJson(),
  ...($('comment').value.trim() && { comment: $('comment').value.trim() }),
});

export async function submit() {
  if ($('submit-button').disabled) return;
  if (await confirmSubmission(review, undecided())) await handIn();
}

async function handIn() {
  $('submit-button').disabled = true;
  try {
    const { id, at } = await submission.send(request(), { onWait: busy });
    alertWith(null);
    desk.saved = { id, at, decisions: JSON.stringify(review.toJson()) };
    keep();
    notify('Review saved.', { action: { label: 'Next note', run: openNote }, seconds: 8 });
    announce('Review saved');
  } catch (error) {
    stuck(error, handIn);
  } finally {
    refresh();
  }
}

export function openNote() {
  opener.show(desk.notes.length > 0);
}

/** What depends on the decisions, but for the rows, which look after themselves. */
export function refresh() {
  const { answer, saved } = desk;
  const open = review.open;
  const current = saved && saved.decisions === JSON.stringify(review.toJson());
  $('undo-button').disabled = !review.canUndo;
  $('redo-button').disabled = !review.canRedo;
  $('add-button').hidden = !answer;
  $('submit-button').disabled = !answer || review.decisions.length === 0 || current;
  $('export-button').disabled = !answer;
  $('all-button').hidden = !open.some(({ band }) => band === 'suggest');
  $('progress').textContent = !answer ? '' : plural(review.final.length, 'code') + (open.length > 0 ? ' · ' + open.length + ' open' : ' · all decided');
  $('saved').replaceChildren(...(saved ? [icon(current ? 'accept' : 'undo'), current
    ? 'Saved ' + new Date(saved.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : 'Changed since it was saved'] : []));
  $('saved').classList.toggle('stale', Boolean(saved) && !current);
  $('signout-button').hidden = !api.signedIn();
}

export function keep() {
  if (desk.notes.length > 0 && desk.model) {
    draft.save({ notes: desk.notes, keepsText: desk.model.keepsText, decisions: review.decisions, saved: desk.saved, comment: $('comment').value });
  }
}
