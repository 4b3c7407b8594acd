// The notes as read: laid out once a document, however often their evidence is lit.

import { h, plural } from './dom.js';
import { LEVELS, highlight, level } from './highlights.js';

const HEADING = /^(#{1,3} )?\p{Lu}[^.;]{1,58}:$/u;
const WORD = /[\p{L}\p{N}]+/gu;

/** Spans are `{note, start, end}` in UTF-16 units of a note's text, as the server counts them. */
export class NoteView extends EventTarget {
  #scroller;
  #sheet;
  #ruler;
  #outline;
  #notes = new Map();
  #places = new Map();
  #ranges = new Map();
  #levels;
  #now;
  #ambient;
  #own;

  constructor({ scroller, sheet, ruler, outline }) {
    super();
    this.#scroller = scroller;
    this.#sheet = sheet;
    this.#ruler = ruler;
    this.#outline = outline;
    this.#ambient = highlight('ambient', 0, sheet);
    this.#levels = Array.from({ length: LEVELS }, (_, i) => highlight('evidence-' + (i + 1), 1 + i, sheet));
    this.#own = highlight('own', 5, sheet);
    this.#now = highlight('evidence-now', 6, sheet);
    sheet.addEventListener('keydown', (event) => this.#walkWords(event));
    sheet.addEventListener('click', (event) => this.#clickWord(event));
  }

  show(notes, onRemove) {
    this.clear();
    const headings = [];
    const sections = notes.map((note, index) => {
      const lines = this.#index(note);
      const body = h('div', { class: 'note-text' }, lines.map(({ node, text, start }) => {
        const heading = HEADING.test(text.trimEnd());
        const line = h('div', heading ? { class: 'heading' } : {}, node);
        if (heading) headings.push({ title: text.trim().replace(/^#+ |:$/g, ''), line, note, start });
        return line;
      }));
      return h('section', { class: 'note', 'data-note': note.id, 'aria-label': note.title },
        h('header', { class: 'note-head' },
          h('h3', {}, note.title || 'Note ' + (index + 1)),
          h('span', { class: 'muted number' }, plural(note.text.length, 'character')),
          notes.length > 1 && h('button', { class: 'button plain', type: 'button', onclick: () => onRemove(note) }, 'Remove')),
        body);
    });
    this.#sheet.replaceChildren(...sections);
    this.#showOutline(notes, sections, headings);
    this.#scroller.scrollTop = 0;
  }

  clear() {
    this.#notes.clear();
    this.#places.clear();
    this.#ranges.clear();
    [...this.#levels, this.#now, this.#ambient, this.#own].forEach((each) => each.paint([]));
    this.#sheet.replaceChildren();
    this.#ruler.replaceChildren();
  }

  /** One text node a line: `places` finds a node's offset, `starts` an offset's node. */
  #index(note) {
    const lines = [];
    for (let start = 0; start < note.text.length;) {
      const newline = note.text.indexOf('\n', start);
      const end = newline < 0 ? note.text.length : newline + 1;
      const text = note.text.slice(start, end);
      const node = document.createTextNode(text);
      this.#places.set(node, { note, start });
      lines.push({ node, text, start });
      start = end;
    }
    this.#notes.set(note.id, { note, nodes: lines.map((line) => line.node), starts: lines.map((line) => line.start) });
    return lines;
  }

  #showOutline(notes, sections, headings) {
    const go = (element) => () => element.scrollIntoView({ block: 'start' });
    const entries = notes.flatMap((note, i) => [
      notes.length > 1 && h('li', { class: 'outline-note' }, h('button', { type: 'button', onclick: go(sections[i]) }, note.title || 'Note ' + (i + 1))),
      ...headings.filter((heading) => heading.note === note)
        .map(({ title, line }) => h('li', {}, h('button', { type: 'button', onclick: go(line) }, title))),
    ]);
    this.#outline.hidden = headings.length < 2 && notes.length < 2;
    this.#outline.replaceChildren(h('ul', {}, entries));
  }

  text(span) {
    return this.#notes.get(span.note)?.note.text.slice(span.start, span.end) ?? '';
  }

  /** The words with some of the line around them. */
  context(span, around = 42) {
    const { text } = this.#notes.get(span.note).note;
    const flat = (s) => s.replace(/\s+/g, ' ');
    const before = flat(text.slice(Math.max(0, span.start - around), span.start)).replace(/^\S*\s/, '');
    const after = flat(text.slice(span.end, span.end + around)).replace(/\s\S*$/, '');
    return { before, words: flat(text.slice(span.start, span.end)), after };
  }

  title(id) {
    return this.#notes.size > 1 ? this.#notes.get(id)?.note.title : '';
  }

  /** Lights a code's evidence, stronger where it weighs more, and the piece looked at strongest. */
  light(spans, now) {
    const heaviest = Math.max(...spans.map((span) => span.weight), Number.MIN_VALUE);
    const levels = this.#levels.map(() => []);
    for (const span of spans) {
      if (span === now) continue;
      levels[level(span.weight, heaviest)].push(this.#range(span));
    }
    this.#levels.forEach((each, i) => each.paint(levels[i]));
    this.#now.paint(now ? [this.#range(now)] : []);
    this.#showRuler(spans, now);
  }

  /** What is underlined at rest: evidence of suggested codes, and the words the coder marked. */
  underline(suggested, own) {
    this.#ambient.paint(suggested.map((span) => this.#range(span)));
    this.#own.paint(own.map((span) => this.#range(span)));
  }

  reveal(span) {
    const target = this.#range(span).getBoundingClientRect();
    const view = this.#scroller.getBoundingClientRect();
    if (target.top < view.top + 64 || target.bottom > view.bottom - 48) {
      this.#scroller.scrollBy({ top: target.top - view.top - view.height * 0.38 });
    }
  }

  /** The selected words, whole and without the blanks around them; null where none are. */
  selection() {
    const selection = getSelection();
    if (selection.isCollapsed || selection.rangeCount === 0) return null;
    const range = selection.getRangeAt(0);
    if (!this.#sheet.contains(range.commonAncestorContainer)) return null;
    const from = this.#place(range.startContainer, range.startOffset);
    const to = this.#place(range.endContainer, range.endOffset);
    if (!from || !to) return null;
    const { text, id } = from.note;
    const last = from.note === to.note ? to.at : text.length;
    const words = text.slice(from.at, last).trim();
    if (words === '') return null;
    const first = text.indexOf(words, from.at);
    const start = wordAround(text, first)?.start ?? first;
    const end = wordAround(text, first + words.length)?.end ?? first + words.length;
    return { note: id, start, end, text: text.slice(start, end), rectangle: range.getBoundingClientRect() };
  }

  #place(container, offset) {
    const known = this.#places.get(container);
    if (known) return { note: known.note, at: known.start + offset };
    // A boundary between elements: the first text after it.
    const walker = document.createTreeWalker(this.#sheet, NodeFilter.SHOW_TEXT);
    walker.currentNode = container.childNodes[offset] ?? container;
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
      const place = this.#places.get(node);
      if (place) return { note: place.note, at: place.start };
    }
    return null;
  }

  #range(span) {
    const key = span.note + ':' + span.start + ':' + span.end;
    let range = this.#ranges.get(key);
    if (!range) {
      const from = this.#node(span.note, span.start);
      const to = this.#node(span.note, span.end);
      range = document.createRange();
      range.setStart(from.node, from.offset);
      range.setEnd(to.node, to.offset);
      this.#ranges.set(key, range);
    }
    return range;
  }

  #node(id, at) {
    const { nodes, starts } = this.#notes.get(id);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= at) low = middle;
      else high = middle - 1;
    }
    return { node: nodes[low], offset: Math.min(at - starts[low], nodes[low].length) };
  }

  /** Ticks beside the scrollbar, so that evidence out of sight is seen too. */
  #showRuler(spans, now) {
    const height = this.#scroller.scrollHeight;
    const top = this.#scroller.getBoundingClientRect().top - this.#scroller.scrollTop;
    this.#ruler.replaceChildren(...spans.map((span) => {
      const tick = document.createElement('i');
      if (span === now) tick.className = 'now';
      tick.style.top = ((this.#range(span).getBoundingClientRect().top - top) / height) * 100 + '%';
      return tick;
    }));
  }

  /** Arrow keys select words, with Shift more of them. */
  #walkWords(event) {
    const forward = event.key === 'ArrowRight';
    if ((!forward && event.key !== 'ArrowLeft') || event.ctrlKey || event.metaKey || event.altKey || this.#notes.size === 0) return;
    event.preventDefault();
    const selection = getSelection();
    const anchor = this.#place(selection.anchorNode ?? this.#sheet, selection.anchorOffset ?? 0) ?? this.#first();
    const focus = this.#place(selection.focusNode ?? this.#sheet, selection.focusOffset ?? 0) ?? anchor;
    const word = forward ? wordAfter(focus.note.text, focus.at) : wordBefore(focus.note.text, Math.min(anchor.at, focus.at));
    if (!word) return;
    const spanStart = event.shiftKey ? Math.min(anchor.at, word.start) : word.start;
    const spanEnd = event.shiftKey ? Math.max(anchor.at, focus.at, word.end) : word.end;
    const span = { note: focus.note.id, start: spanStart, end: spanEnd };
    this.#select(span);
    this.reveal(span);
  }

  #first() {
    const { note } = this.#notes.values().next().value;
    return { note, at: 0 };
  }

  #select(span) {
    const from = this.#node(span.note, span.start);
    const to = this.#node(span.note, span.end);
    getSelection().setBaseAndExtent(from.node, from.offset, to.node, to.offset);
  }

  /** A click on a word is told as its span. */
  #clickWord(event) {
    if (!getSelection().isCollapsed) return;
    const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const range = caret ? null : document.caretRangeFromPoint?.(event.clientX, event.clientY);
    const place = this.#places.has(caret?.offsetNode ?? range?.startContainer)
      && this.#place(caret?.offsetNode ?? range.startContainer, caret?.offset ?? range.startOffset);
    if (!place) return;
    const word = wordAround(place.note.text, place.at);
    if (word) this.dispatchEvent(new CustomEvent('word', { detail: { note: place.note.id, ...word, select: () => this.#select({ note: place.note.id, ...word }) } }));
  }
}

function wordAfter(text, at) {
  WORD.lastIndex = at;
  const match = WORD.exec(text);
  return match && { start: match.index, end: match.index + match[0].length };
}

function wordBefore(text, at) {
  const from = Math.max(0, at - 400);
  const words = [...text.slice(from, at).matchAll(WORD)];
  const last = words.at(-1);
  return last ? { start: from + last.index, end: from + last.index + last[0].length } : null;
}

function wordAround(text, at) {
  const isWord = (i) => i >= 0 && i < text.length && /[\p{L}\p{N}]/u.test(text[i]);
  let start = at;
  let end = at;
  while (isWord(start - 1)) start--;
  while (isWord(end)) end++;
  return end > start ? { start, end } : null;
}
