// Where notes come from: samples, the clipboard, files. One form, at home in the empty desk and in a dialog.

import { $, closable, h } from './dom.js';
import { notify } from './notices.js';

const LONGEST_FILE = 4 * 1024 * 1024;

/** Tells `open` with `{notes, append}`. */
export class Opener extends EventTarget {
  #form = $('opener');
  #dialog = closable($('open-dialog'));
  #samples = [];

  constructor() {
    super();
    $('paste-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#paste();
    });
    $('paste').addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#paste();
    });
    $('file-button').addEventListener('click', () => $('file').click());
    $('file').addEventListener('change', () => {
      this.#files([...$('file').files]);
      $('file').value = '';
    });
    this.#acceptDrops();
  }

  set samples(samples) {
    this.#samples = samples;
    $('samples-heading').hidden = samples.length === 0;
    $('samples').replaceChildren(...samples.map((sample) => h('li', {},
      h('button', { type: 'button', onclick: () => this.#tell([asNote(sample)]) },
        h('strong', {}, sample.title),
        h('span', { class: 'muted' }, story(sample.text))))));
  }

  sample(id) {
    const sample = this.#samples.find((each) => each.id === id);
    return sample && asNote(sample);
  }

  /** Into the dialog; `canAppend` where notes are open already. */
  show(canAppend) {
    $('append-label').hidden = !canAppend;
    $('append').checked = false;
    if (canAppend) {
      $('open-body').append(this.#form);
      this.#dialog.showModal();
    }
    $('paste').focus();
  }

  #paste() {
    const text = $('paste').value;
    if (text.trim() === '') {
      notify('There is nothing to code yet: paste a note first.');
      $('paste').focus();
      return;
    }
    $('paste').value = '';
    this.#tell([{ title: 'Pasted note', text }]);
  }

  async #files(files) {
    const texts = files.filter((file) => file.type.startsWith('text/') || /\.(txt|text|md)$/i.test(file.name));
    const fitting = texts.filter((file) => file.size <= LONGEST_FILE);
    if (fitting.length < files.length) notify('Only text files (.txt) of up to 4 MB can be opened.', { bad: true });
    try {
      const decoder = () => new TextDecoder('utf-8', { fatal: true });
      const notes = await Promise.all(fitting.map(async (file) => ({ title: file.name.slice(0, 120), text: decoder().decode(await file.arrayBuffer()) })));
      if (notes.length > 0) this.#tell(notes);
    } catch {
      notify('The file is not UTF-8 text. Save it as UTF-8 and open it again.', { bad: true });
    }
  }

  #acceptDrops() {
    const drop = $('drop');
    const carriesFiles = (event) => event.dataTransfer?.types.includes('Files');
    addEventListener('dragenter', (event) => { if (carriesFiles(event)) drop.hidden = false; });
    addEventListener('dragover', (event) => { if (carriesFiles(event)) event.preventDefault(); });
    addEventListener('dragleave', (event) => { if (event.relatedTarget === null) drop.hidden = true; });
    addEventListener('drop', (event) => {
      drop.hidden = true;
      if (!carriesFiles(event)) return;
      event.preventDefault();
      this.#files([...event.dataTransfer.files]);
    });
  }

  #tell(notes) {
    const append = $('append').checked && !$('append-label').hidden;
    this.#dialog.close();
    this.dispatchEvent(new CustomEvent('open', { detail: { notes: notes.map((note) => ({ ...note, text: note.text.replace(/\r\n?/g, '\n') })), append } }));
  }
}

/** The longest of the first lines: where a note tells its story, past names and dates. */
function story(text) {
  const lines = text.split('\n').slice(0, 30);
  return lines.reduce((longest, line) => (line.length > longest.length ? line : longest), '').slice(0, 220);
}

const asNote = ({ id, title, text }) => ({ title, text, sample: id });
