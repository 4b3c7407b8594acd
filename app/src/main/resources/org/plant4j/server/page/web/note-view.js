// The note pane. Notes are laid out once per document; highlighting does not change the DOM.

import { h, plural } from './dom.js';
import { LEVELS, highlight, level } from './highlights.js';
import { contradicts } from './traits.js';

const HEADING = /^(#{1,3} )?\p{Lu}[^.;]{1,58}:$/u;
const WORD = /[\p{L}\p{N}]+/gu;

/** Spans are `{document, start, end}` with UTF-16 offsets into the note's text, as in the API. Emits `word` on a click on a word. */
export class NoteView extends EventTarget {
  #scroller;
  #content;
  #ruler;
  #outline;
  #notes = new Map();
  #positions = new Map();
  #ranges = new Map();
  #levels;
  #contradicting;
  #current;
  #suggested;
  #marked;

  constructor({ scroller, content, ruler, outline }) {
    super();
    this.#scroller = scroller;
    this.#content = content;
    this.#ruler = ruler;
    this.#outline = outline;
    this.#suggested = highlight('suggested', 0, content);
    this.#levels = Array.from({ length: LEVELS }, (_, i) => highlight('evidence-' + (i + 1), 1 + i, content));
    this.#contradicting = highlight('evidence-contradicting', 4, content);
    this.#marked = highlight('marked', 5, content);
    this.#current = highlight('evidence-current', 6, content);
    content.addEventListener('keydown', (event) => this.#selectWithArrows(event));
    content.addEventListener('click', (event) => this.#clickWord(event));
  }

  show(notes, onRemove) {
    this.clear();
    const headings = [];
    const sections = notes.map((note, index) => {
      const lines = this.#index(note);
      const body = h('div', { class: 'note-text' }, lines.map(({ node, text, start }) => {
        const heading = HEADING.test(text.trimEnd());
        const line = h('div', { dir: 'auto', class: heading && 'heading' }, node);
        if (heading) headings.push({ title: text.trim().replace(/^#+ |:$/g, ''), line, note, start });
        return line;
      }));
      return h('section', { class: 'note', 'data-note': note.id, 'aria-label': note.title },
        h('header', { class: 'note-head' },
          h('h3', { dir: 'auto' }, note.title || 'Note ' + (index + 1)),
          h('span', { class: 'muted number' }, plural(note.text.length, 'character')),
          onRemove && notes.length > 1 && h('button', { class: 'button plain', type: 'button', onclick: () => onRemove(note) }, 'Remove')),
        body);
    });
    this.#content.replaceChildren(...sections);
    this.#showOutline(notes, sections, headings);
    this.#scroller.scrollTop = 0;
  }

  clear() {
    this.#notes.clear();
    this.#positions.clear();
    this.#ranges.clear();
    [...this.#levels, this.#contradicting, this.#current, this.#suggested, this.#marked].forEach((each) => each.paint([]));
    this.#content.replaceChildren();
    this.#ruler.replaceChildren();
  }

  /** Creates one text node per line. `positions` maps a node to its offset, `starts` an offset to its node. */
  #index(note) {
    const lines = [];
    for (let start = 0; start < note.text.length;) {
      const newline = note.text.indexOf('\n', start);
      const end = newline < 0 ? note.text.length : newline + 1;
      const text = note.text.slice(start, end);
      const node = document.createTextNode(text);
      this.#positions.set(node, { note, start });
      lines.push({ node, text, start });
      start = end;
    }
    this.#notes.set(note.id, { note, nodes: lines.map((line) => line.node), starts: lines.map((line) => line.start) });
    return lines;
  }

  #showOutline(notes, sections, headings) {
    const scrollTo = (element) => () => element.scrollIntoView({ block: 'start' });
    const entries = notes.flatMap((note, i) => [
      notes.length > 1 && h('li', { class: 'outline-note' }, h('button', { type: 'button', onclick: scrollTo(sections[i]) }, note.title || 'Note ' + (i + 1))),
      ...headings.filter((heading) => heading.note === note)
        .map(({ title, line }) => h('li', {}, h('button', { type: 'button', onclick: scrollTo(line) }, title))),
    ]);
    this.#outline.hidden = headings.length < 2 && notes.length < 2;
    this.#outline.replaceChildren(h('ul', {}, entries));
  }

  text(span) {
    return this.#notes.get(span.document)?.note.text.slice(span.start, span.end) ?? '';
  }

  /** A span's text with the text before and after it. */
  context(span, around = 42) {
    const { text } = this.#notes.get(span.document).note;
    const singleLine = (s) => s.replace(/\s+/g, ' ');
    const before = singleLine(text.slice(Math.max(0, span.start - around), span.start)).replace(/^\S*\s/, '');
    const after = singleLine(text.slice(span.end, span.end + around)).replace(/\s\S*$/, '');
    return { before, words: singleLine(text.slice(span.start, span.end)), after };
  }

  title(id) {
    return this.#notes.size > 1 ? this.#notes.get(id)?.note.title : '';
  }

  /** Highlights a code's evidence by weight, contradicting evidence separately, and the current span strongest. */
  highlight(spans, current) {
    const heaviest = Math.max(...spans.map((span) => span.weight), Number.MIN_VALUE);
    const levels = this.#levels.map(() => []);
    for (const span of spans) {
      if (span === current || contradicts(span)) continue;
      levels[level(span.weight, heaviest)].push(this.#range(span));
    }
    this.#levels.forEach((each, i) => each.paint(levels[i]));
    this.#contradicting.paint(spans.filter((span) => span !== current && contradicts(span)).map((span) => this.#range(span)));
    this.#current.paint(current ? [this.#range(current)] : []);
    this.#showRuler(spans, current);
  }

  /** Underlines the evidence of suggested codes and highlights the spans that the coder marked. */
  underline(suggested, marked) {
    this.#suggested.paint(suggested.map((span) => this.#range(span)));
    this.#marked.paint(marked.map((span) => this.#range(span)));
  }

  reveal(span) {
    const target = this.#range(span).getBoundingClientRect();
    const view = this.#scroller.getBoundingClientRect();
    if (target.top < view.top + 64 || target.bottom > view.bottom - 48) {
      this.#scroller.scrollBy({ top: target.top - view.top - view.height * 0.38 });
    }
  }

  /** The selection extended to whole words and trimmed; null if nothing is selected. */
  selection() {
    const selection = getSelection();
    if (selection.isCollapsed || selection.rangeCount === 0) return null;
    const range = selection.getRangeAt(0);
    if (!this.#content.contains(range.commonAncestorContainer)) return null;
    const from = this.#positionOf(range.startContainer, range.startOffset);
    const to = this.#positionOf(range.endContainer, range.endOffset);
    if (!from || !to) return null;
    const { text, id } = from.note;
    const last = from.note === to.note ? to.at : text.length;
    const words = text.slice(from.at, last).trim();
    if (words === '') return null;
    const first = text.indexOf(words, from.at);
    const start = wordAround(text, first)?.start ?? first;
    const end = wordAround(text, first + words.length)?.end ?? first + words.length;
    return { document: id, start, end, text: text.slice(start, end), rectangle: range.getBoundingClientRect() };
  }

  #positionOf(container, offset) {
    const line = this.#positions.get(container);
    if (line) return { note: line.note, at: line.start + offset };
    // The boundary lies between elements: use the first text after it.
    const walker = document.createTreeWalker(this.#content, NodeFilter.SHOW_TEXT);
    walker.currentNode = container.childNodes[offset] ?? container;
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
      const position = this.#positions.get(node);
      if (position) return { note: position.note, at: position.start };
    }
    return null;
  }

  #range(span) {
    const key = span.document + ':' + span.start + ':' + span.end;
    let range = this.#ranges.get(key);
    if (!range) {
      const from = this.#node(span.document, span.start);
      const to = this.#node(span.document, span.end);
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

  /** Shows ticks next to the scrollbar for evidence outside the viewport. */
  #showRuler(spans, current) {
    const height = this.#scroller.scrollHeight;
    const top = this.#scroller.getBoundingClientRect().top - this.#scroller.scrollTop;
    this.#ruler.replaceChildren(...spans.map((span) => {
      const tick = document.createElement('i');
      if (span === current) tick.className = 'current';
      tick.style.top = ((this.#range(span).getBoundingClientRect().top - top) / height) * 100 + '%';
      return tick;
    }));
  }

  /** Selects words with the arrow keys; Shift extends the selection. */
  #selectWithArrows(event) {
    const forward = event.key === 'ArrowRight';
    if ((!forward && event.key !== 'ArrowLeft') || event.ctrlKey || event.metaKey || event.altKey || this.#notes.size === 0) return;
    event.preventDefault();
    const selection = getSelection();
    const anchor = this.#positionOf(selection.anchorNode ?? this.#content, selection.anchorOffset ?? 0) ?? this.#beginning();
    const focus = this.#positionOf(selection.focusNode ?? this.#content, selection.focusOffset ?? 0) ?? anchor;
    const word = forward ? wordAfter(focus.note.text, focus.at) : wordBefore(focus.note.text, Math.min(anchor.at, focus.at));
    if (!word) return;
    const spanStart = event.shiftKey ? Math.min(anchor.at, word.start) : word.start;
    const spanEnd = event.shiftKey ? Math.max(anchor.at, focus.at, word.end) : word.end;
    const span = { document: focus.note.id, start: spanStart, end: spanEnd };
    this.#select(span);
    this.reveal(span);
  }

  #beginning() {
    const { note } = this.#notes.values().next().value;
    return { note, at: 0 };
  }

  #select(span) {
    const from = this.#node(span.document, span.start);
    const to = this.#node(span.document, span.end);
    getSelection().setBaseAndExtent(from.node, from.offset, to.node, to.offset);
  }

  /** Emits the span of a clicked word. */
  #clickWord(event) {
    if (!getSelection().isCollapsed) return;
    const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const range = caret ? null : document.caretRangeFromPoint?.(event.clientX, event.clientY);
    const position = this.#positions.has(caret?.offsetNode ?? range?.startContainer)
      && this.#positionOf(caret?.offsetNode ?? range.startContainer, caret?.offset ?? range.startOffset);
    if (!position) return;
    const word = wordAround(position.note.text, position.at);
    if (word) this.dispatchEvent(new CustomEvent('word', { detail: { document: position.note.id, ...word, select: () => this.#select({ document: position.note.id, ...word }) } }));
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
