// Entry point: binds clicks, keys and events to actions, and restores the draft after a reload.

import { acceptSuggested, activate, addCode, card, changeCode, decide, explanations, inspect, inspector, list, makePrincipal, markSelection, nextUndecided,
  open, openNote, opener, preview, refresh, replaceActive, review, saveDraft, showError, showEvidence, showExplanation, showSelection, showUnderlines, state,
  stepCode, stepEvidence, stepPresence, submit, toRequest, view } from './actions.js';
import { api } from './api.js';
import { $, debounce, h } from './dom.js';
import { drafts } from './drafts.js';
import { agree, skipEncounter, submitSecondReview, worklist } from './encounters.js';
import { fillExportMenu, openExportMenu } from './exports.js';
import { codesFor } from './selection-card.js';
import { bindShortcuts, showHelp } from './shortcuts.js';

review.addEventListener('change', () => {
  refresh();
  if (!state.result) return;
  saveDraft();
  showUnderlines();
  if (state.active) inspect();
});

list.addEventListener('hover', ({ detail: code }) => preview(code));
list.addEventListener('activate', ({ detail: code }) => {
  if (code !== state.active) activate(code);
  stepEvidence(1);
});
list.addEventListener('accept', ({ detail: code }) => decide(code, 'accepted'));
list.addEventListener('reject', ({ detail: code }) => decide(code, 'rejected'));
list.addEventListener('reveal', () => { state.hiddenShown ||= list.showsHidden; });

explanations.addEventListener('loaded', ({ detail: code }) => showExplanation(code));

inspector.addEventListener('select', ({ detail: index }) => showEvidence(index));
inspector.addEventListener('step', ({ detail: by }) => stepEvidence(by));
inspector.addEventListener('replace', ({ detail: other }) => replaceActive(other));
inspector.addEventListener('change', changeCode);

card.addEventListener('choose', ({ detail: code }) => activate(code, { focus: true }));
card.addEventListener('add', ({ detail: span }) => addCode(span));
card.addEventListener('mark', ({ detail: span }) => markSelection(span));

let pointerDown = false;
const onSelectionSettled = debounce(120, () => { if (!pointerDown) showSelection(); });
$('note').addEventListener('pointerdown', () => { pointerDown = true; });
addEventListener('pointerup', () => { pointerDown = false; });
document.addEventListener('selectionchange', () => { if (!card.focused) onSelectionSettled(); });
addEventListener('pointerup', onSelectionSettled);
$('note-scroll').addEventListener('scroll', () => card.hide(), { passive: true });
view.addEventListener('word', ({ detail: word }) => {
  if (state.result && codesFor(word, state.result.codes).length > 0) word.select();
});

opener.addEventListener('open', ({ detail: { notes, append } }) => {
  if (append) open([...state.notes, ...notes], { id: state.document, decisions: review.decisions });
  else open(notes);
});
opener.addEventListener('resume', ({ detail: { id, notes } }) => resume(id, notes));

/** Opens the notes of a draft; samples without their text are loaded again. Returns whether all are known. */
function resume(id, stored) {
  const notes = stored?.map((note) => (note.text === undefined ? opener.sample(note.sample) && { ...opener.sample(note.sample), id: note.id } : note));
  if (!notes?.every(Boolean)) return false;
  open(notes, { id });
  return true;
}

const submitOpen = () => { if (!submitSecondReview()) submit(); };
const buttons = { open: openNote, worklist: () => void worklist.show(), undo: () => review.undo(), redo: () => review.redo(), theme: toggleTheme, help: showHelp, 'accept-all': acceptSuggested, add: () => addCode(), submit: submitOpen };
Object.entries(buttons).forEach(([name, run]) => $(name + '-button').addEventListener('click', () => run()));
$('signout-button').addEventListener('click', () => {
  drafts.forgetTexts();
  worklist.releaseAll().then(api.signOut).catch(showError);
});
$('comment').addEventListener('input', saveDraft);
fillExportMenu(review, toRequest);

const inNote = (event) => event.target === $('note');
bindShortcuts([
  { title: 'Codes', entries: [
    { keys: ['ArrowDown', 'j'], shown: ['↓', 'J'], label: 'Next code', run: (event) => (inNote(event) ? false : stepCode(1)) },
    { keys: ['ArrowUp', 'k'], shown: ['↑', 'K'], label: 'Previous code', run: (event) => (inNote(event) ? false : stepCode(-1)) },
    { keys: ['g'], shown: ['G'], label: 'Next undecided code', run: () => nextUndecided() && undefined },
    { keys: ['a'], shown: ['A'], label: 'Accept and go to next', run: () => decide(state.active, 'accepted', { advance: true }) },
    { keys: ['r'], shown: ['R'], label: 'Reject and go to next', run: () => decide(state.active, 'rejected', { advance: true }) },
    { keys: ['c'], shown: ['C'], label: 'Replace with another code', run: () => void changeCode() },
    { keys: ['f'], shown: ['F'], label: 'Make principal diagnosis', run: () => void makePrincipal() },
    { keys: ['y'], shown: ['Y'], label: 'Step through present on admission', run: () => void stepPresence() },
    { keys: ['/', '+'], shown: ['/'], label: 'Add code', run: () => void addCode() },
    { keys: ['Shift+a'], shown: ['⇧', 'A'], label: 'Accept all suggested', run: acceptSuggested },
    { keys: ['h'], shown: ['H'], label: 'Show or hide less likely codes', run: () => list.toggleHidden() },
  ] },
  { title: 'Evidence', entries: [
    { keys: ['n', 'ArrowRight'], shown: ['N', '→'], label: 'Next evidence', run: () => stepEvidence(1) },
    { keys: ['p', 'ArrowLeft'], shown: ['P', '←'], label: 'Previous evidence', run: () => stepEvidence(-1) },
    { keys: [], shown: ['←', '→'], label: 'Select words in the note' },
    { keys: ['w'], shown: ['W'], label: 'Go to codes for the selection', run: () => card.focus() },
    { keys: ['m'], shown: ['M'], label: 'Mark selection as evidence', run: () => markSelection() },
  ] },
  { title: 'General', entries: [
    { keys: ['l'], shown: ['L'], label: 'Worklist', run: () => void worklist.show() },
    { keys: ['Shift+n'], shown: ['⇧', 'N'], label: 'Next encounter', run: () => void skipEncounter() },
    { keys: ['v'], shown: ['V'], label: 'Agree, in a second review', run: agree },
    { keys: ['o'], shown: ['O'], label: 'Open note', run: openNote },
    { keys: ['u', 'Mod+z'], shown: ['U'], label: 'Undo', run: () => review.undo() },
    { keys: ['Shift+u', 'Mod+Shift+z', 'Mod+y'], shown: ['⇧', 'U'], label: 'Redo', run: () => review.redo() },
    { keys: ['Mod+Enter'], shown: ['Ctrl', '↵'], label: 'Submit review', run: () => void submitOpen() },
    { keys: ['e'], shown: ['E'], label: 'Export', run: () => { if (state.result) openExportMenu(); } },
    { keys: ['1'], shown: ['1'], label: 'Go to the note', run: () => $('note').focus() },
    { keys: ['2'], shown: ['2'], label: 'Go to the codes', run: () => stepCode(0) },
    { keys: ['t'], shown: ['T'], label: 'Switch theme', run: () => void toggleTheme() },
    { keys: ['?'], shown: ['?'], label: 'Keyboard shortcuts', run: showHelp },
    { keys: ['Escape'], shown: ['Esc'], label: 'Close or clear selection', run: () => getSelection().removeAllRanges() },
  ] },
]);

/** Warns before unsaved decisions are lost if note texts must not be stored. */
addEventListener('beforeunload', (event) => {
  const hasOwnNotes = state.notes.some((note) => !note.sample);
  if (hasOwnNotes && !state.encounter && state.model && !state.model.keepsText && review.decisions.length > 0 && !state.saved) event.preventDefault();
});

async function start() {
  refresh();
  list.showEmpty('Open a note to see its codes here.');
  try {
    const [model, samples, me] = await Promise.all([api.model(), api.samples(), api.me()]);
    drafts.user = me.name;
    $('user-name').textContent = api.signedIn() ? me.name : '';
    $('signout-button').title = 'Sign out ' + me.name;
    $('signout-button').setAttribute('aria-label', 'Sign out ' + me.name);
    $('export-reviews').hidden = me.role !== 'admin';
    $('manage-link').hidden = me.role !== 'admin';
    state.model = model;
    inspector.showsViews = model.explains.views;
    $('model-chip').replaceChildren(model.name + ' ', h('span', { class: 'mono' }, model.version));
    $('model-chip').hidden = false;
    opener.samples = samples;
    worklist.user = me;
  } catch (error) {
    showError(error, start);
    return;
  }
  refresh();
  if (await worklist.resume()) return;
  if (resume(drafts.openId, drafts.load(drafts.openId)?.notes)) return;
  opener.drafts = drafts.unfinished;
  $('resume-hint').hidden = !drafts.hasDetached;
  $('paste').focus();
  worklist.showIfNeeded().catch(() => {}); // the page works without it
}

start();
