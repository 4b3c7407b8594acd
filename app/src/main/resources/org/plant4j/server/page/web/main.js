// Starts the desk: ties clicks, keys and events to what they do, and takes up the work from before a reload.

import { api } from './server.js';
import { acceptSuggested, activate, addCode, card, changeCode, decide, desk, explained, inspect, inspector, keep, light, list, lookAtSelection, markWords, nextUndecided,
  open, openNote, opener, refresh, replaceActive, request, restUnderlines, review, step, stuck, submit, view, walk, walkTo, why } from './desk.js';
import { $, debounce, h } from './dom.js';
import { draft, fingerprint } from './draft.js';
import { fillExportMenu, openExportMenu } from './exports.js';
import { listen, showHelp } from './keys.js';
import { codesFor } from './words.js';

review.addEventListener('change', () => {
  refresh();
  if (!desk.answer) return;
  keep();
  restUnderlines();
  if (desk.active) inspect();
});

list.addEventListener('hover', ({ detail: code }) => {
  if (code !== null && code !== desk.active) light(code);
  else if (desk.active) light(desk.active, desk.piece);
});
list.addEventListener('activate', ({ detail: code }) => {
  if (code !== desk.active) activate(code);
  walk(1);
});
list.addEventListener('accept', ({ detail: code }) => decide(code, 'accepted'));
list.addEventListener('reject', ({ detail: code }) => decide(code, 'rejected'));
list.addEventListener('reveal', () => { desk.sawHidden ||= list.showsHidden; });

why.addEventListener('told', ({ detail: code }) => explained(code));

inspector.addEventListener('piece', ({ detail: index }) => walkTo(index));
inspector.addEventListener('step', ({ detail: by }) => walk(by));
inspector.addEventListener('replace', ({ detail: other }) => replaceActive(other));
inspector.addEventListener('change', changeCode);

card.addEventListener('choose', ({ detail: code }) => activate(code, { focus: true }));
card.addEventListener('add', ({ detail: span }) => addCode(span));
card.addEventListener('mark', ({ detail: span }) => markWords(span));

let pressing = false;
const settled = debounce(120, () => { if (!pressing) lookAtSelection(); });
$('note').addEventListener('pointerdown', () => { pressing = true; });
addEventListener('pointerup', () => { pressing = false; });
document.addEventListener('selectionchange', () => { if (!card.focused) settled(); });
addEventListener('pointerup', settled);
$('note-scroll').addEventListener('scroll', () => card.hide(), { passive: true });
view.addEventListener('word', ({ detail: word }) => {
  if (desk.answer && codesFor(word, desk.answer.codes).length > 0) word.select();
});

opener.addEventListener('open', ({ detail: { notes, append } }) => {
  const before = draft.load();
  const all = append ? [...desk.notes, ...notes] : notes;
  $('comment').value = '';
  open(all, { decisions: append ? review.decisions : before?.fingerprint === fingerprint(all) ? before.decisions : [] });
});

const buttons = { open: openNote, undo: () => review.undo(), redo: () => review.redo(), theme: toggleTheme, help: showHelp, all: acceptSuggested, add: () => addCode(), submit };
Object.entries(buttons).forEach(([name, run]) => $(name + '-button').addEventListener('click', () => run()));
$('signout-button').addEventListener('click', () => {
  api.signOut();
  draft.drop();
  location.reload();
});
$('comment').addEventListener('input', keep);
fillExportMenu(review, request);

const inNote = (event) => event.target === $('note');
listen([
  { title: 'Codes', entries: [
    { keys: ['ArrowDown', 'j'], shown: ['↓', 'J'], does: 'Next code', run: (event) => (inNote(event) ? false : step(1)) },
    { keys: ['ArrowUp', 'k'], shown: ['↑', 'K'], does: 'Previous code', run: (event) => (inNote(event) ? false : step(-1)) },
    { keys: ['g'], shown: ['G'], does: 'Next undecided code', run: () => nextUndecided() && undefined },
    { keys: ['a'], shown: ['A'], does: 'Accept, and on to the next', run: () => decide(desk.active, 'accepted', { advance: true }) },
    { keys: ['r'], shown: ['R'], does: 'Reject, and on to the next', run: () => decide(desk.active, 'rejected', { advance: true }) },
    { keys: ['c'], shown: ['C'], does: 'Change to another code', run: () => void changeCode() },
    { keys: ['/', '+'], shown: ['/'], does: 'Add a code', run: () => void addCode() },
    { keys: ['Shift+a'], shown: ['⇧', 'A'], does: 'Accept all suggested', run: acceptSuggested },
    { keys: ['h'], shown: ['H'], does: 'Show or hide less likely codes', run: () => list.toggleHidden() },
  ] },
  { title: 'Evidence', entries: [
    { keys: ['n', 'ArrowRight'], shown: ['N', '→'], does: 'Next piece', run: () => walk(1) },
    { keys: ['p', 'ArrowLeft'], shown: ['P', '←'], does: 'Previous piece', run: () => walk(-1) },
    { keys: [], shown: ['←', '→'], does: 'In the note: select a word; with ⇧ more' },
    { keys: ['w'], shown: ['W'], does: 'To the codes of the selected words', run: () => card.focus() },
    { keys: ['m'], shown: ['M'], does: 'Mark selected words for the code', run: () => markWords() },
  ] },
  { title: 'Desk', entries: [
    { keys: ['o'], shown: ['O'], does: 'Open a note', run: openNote },
    { keys: ['u', 'Mod+z'], shown: ['U'], does: 'Undo', run: () => review.undo() },
    { keys: ['Shift+u', 'Mod+Shift+z', 'Mod+y'], shown: ['⇧', 'U'], does: 'Redo', run: () => review.redo() },
    { keys: ['Mod+Enter'], shown: ['Ctrl', '↵'], does: 'Submit the review', run: () => void submit() },
    { keys: ['e'], shown: ['E'], does: 'Export', run: () => { if (desk.answer) openExportMenu(); } },
    { keys: ['1'], shown: ['1'], does: 'To the note', run: () => $('note').focus() },
    { keys: ['2'], shown: ['2'], does: 'To the codes', run: () => step(0) },
    { keys: ['t'], shown: ['T'], does: 'Light or dark', run: () => void toggleTheme() },
    { keys: ['?'], shown: ['?'], does: 'This help', run: showHelp },
    { keys: ['Escape'], shown: ['Esc'], does: 'Close; let go of selected words', run: () => getSelection().removeAllRanges() },
  ] },
]);

/** Asks before words are lost that may not be kept. */
addEventListener('beforeunload', (event) => {
  const own = desk.notes.some((note) => !note.sample);
  if (own && desk.model && !desk.model.keepsText && review.decisions.length > 0 && !desk.saved) event.preventDefault();
});

async function start() {
  refresh();
  list.empty('Open a note and its codes appear here.');
  try {
    const [model, samples] = await Promise.all([api.model(), api.samples()]);
    desk.model = model;
    inspector.showsViews = model.explains.views;
    $('model-chip').replaceChildren(model.name + ' ', h('span', { class: 'mono' }, model.version));
    $('model-chip').hidden = false;
    opener.samples = samples;
  } catch (error) {
    stuck(error, start);
    return;
  }
  refresh();
  const before = draft.load();
  const notes = before?.notes?.map((note) => (note.text === undefined ? opener.sample(note.sample) && { ...opener.sample(note.sample), id: note.id } : note));
  if (notes?.every(Boolean)) {
    $('comment').value = before.comment ?? '';
    open(notes, { decisions: before.decisions, saved: before.saved });
  } else {
    $('waiting').hidden = !(before?.decisions.length > 0);
    $('paste').focus();
  }
}

start();
