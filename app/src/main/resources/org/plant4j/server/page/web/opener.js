// Opens notes: samples, pasted text and files. The same form is used on the start page and in a dialog.

import { $, closable, h, plural } from './dom.js';
import { notify } from './notices.js';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Emits `open` with `{notes, append}`, and `resume` with a draft. */
export class Opener extends EventTarget {
  #form = $('opener');
  #dialog = closable($('open-dialog'));
  #samples = [];

  constructor() {
    super();
    $('paste-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#openPasted();
    });
    $('paste').addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#openPasted();
    });
    $('file-button').addEventListener('click', () => $('file').click());
    $('file').addEventListener('change', () => {
      this.#openFiles([...$('file').files]);
      $('file').value = '';
    });
    this.#bindDrop();
  }

  set samples(samples) {
    this.#samples = samples;
    $('samples-heading').hidden = samples.length === 0;
    $('samples').replaceChildren(...samples.map((sample) => h('li', {},
      h('button', { type: 'button', onclick: () => this.#emit([toNote(sample)]) },
        h('strong', {}, sample.title),
        h('span', { class: 'muted' }, preview(sample.text))))));
  }

  /** Unfinished reviews to continue. */
  set drafts(drafts) {
    $('drafts-heading').hidden = drafts.length === 0;
    $('drafts').replaceChildren(...drafts.map((draft) => h('li', {},
      h('button', { type: 'button', onclick: () => this.#resume(draft) },
        h('strong', {}, draft.notes[0].title || 'Note'),
        h('span', { class: 'muted' }, plural(draft.decisions.length, 'code') + ' decided, not submitted')))));
  }

  #resume(draft) {
    this.#dialog.close();
    this.dispatchEvent(new CustomEvent('resume', { detail: draft }));
  }

  sample(id) {
    const sample = this.#samples.find((each) => each.id === id);
    return sample && toNote(sample);
  }

  /** Focuses the form; if notes are open, shows it in the dialog. */
  show(notesOpen, canAppend) {
    $('append-label').hidden = !notesOpen || !canAppend;
    $('append').checked = false;
    if (notesOpen) {
      $('open-body').append(this.#form);
      this.#dialog.showModal();
    }
    $('paste').focus();
  }

  #openPasted() {
    const text = $('paste').value;
    if (text.trim() === '') {
      notify('Paste a note first.');
      $('paste').focus();
      return;
    }
    $('paste').value = '';
    this.#emit([{ title: 'Pasted note', text }]);
  }

  async #openFiles(files) {
    const textFiles = files.filter((file) => file.type.startsWith('text/') || /\.(txt|text|md)$/i.test(file.name));
    const accepted = textFiles.filter((file) => file.size <= MAX_FILE_BYTES);
    if (accepted.length < files.length) notify('Only text files (.txt) up to 4 MB can be opened.', { error: true });
    try {
      const decoder = () => new TextDecoder('utf-8', { fatal: true });
      const notes = await Promise.all(accepted.map(async (file) => ({ title: file.name.slice(0, 120), text: decoder().decode(await file.arrayBuffer()) })));
      if (notes.length > 0) this.#emit(notes);
    } catch {
      notify('The file is not UTF-8 text. Save it as UTF-8 and try again.', { error: true });
    }
  }

  #bindDrop() {
    const dropTarget = $('drop-target');
    const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
    addEventListener('dragenter', (event) => { if (hasFiles(event)) dropTarget.hidden = false; });
    addEventListener('dragover', (event) => { if (hasFiles(event)) event.preventDefault(); });
    addEventListener('dragleave', (event) => { if (event.relatedTarget === null) dropTarget.hidden = true; });
    addEventListener('drop', (event) => {
      dropTarget.hidden = true;
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.#openFiles([...event.dataTransfer.files]);
    });
  }

  #emit(notes) {
    const append = $('append').checked && !$('append-label').hidden;
    this.#dialog.close();
    this.dispatchEvent(new CustomEvent('open', { detail: { notes: notes.map((note) => ({ ...note, text: note.text.replace(/\r\n?/g, '\n') })), append } }));
  }
}

/** The longest of the first lines: most likely prose rather than names and dates. */
function preview(text) {
  const lines = text.split('\n').slice(0, 30);
  return lines.reduce((longest, line) => (line.length > longest.length ? line : longest), '').slice(0, 220);
}

const toNote = ({ id, title, text }) => ({ title, text, sample: id });
