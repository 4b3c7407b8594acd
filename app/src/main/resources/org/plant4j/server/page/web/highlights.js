// Coloured ranges of the note, painted without touching its elements.

const SUPPORTED = typeof Highlight === 'function' && CSS.highlights !== undefined;

/** One kind of highlight: `desk.css` says how `::highlight(name)` looks; a higher priority wins where two overlap. */
class Registered {
  #highlight = new Highlight();
  #ranges = [];

  constructor(name, priority) {
    this.#highlight.priority = priority;
    CSS.highlights.set(name, this.#highlight);
  }

  /** The same ranges again cost nothing. */
  paint(ranges) {
    if (ranges.length === this.#ranges.length && ranges.every((range, i) => range === this.#ranges[i])) return;
    this.#ranges = ranges;
    this.#highlight.clear();
    ranges.forEach((range) => this.#highlight.add(range));
  }
}

/** The same for browsers without the Custom Highlight API: boxes under the text, laid out from the ranges' rectangles. */
class Boxes {
  #layer = document.createElement('div');
  #sheet;
  #ranges = [];

  constructor(name, priority, sheet) {
    this.#sheet = sheet;
    this.#layer.className = 'boxes ' + name;
    this.#layer.style.zIndex = String(priority - 10);
    this.#layer.setAttribute('aria-hidden', 'true');
    new ResizeObserver(() => this.paint(this.#ranges)).observe(sheet);
  }

  paint(ranges) {
    this.#ranges = ranges;
    if (!this.#layer.isConnected) this.#sheet.append(this.#layer);
    const origin = this.#sheet.getBoundingClientRect();
    this.#layer.replaceChildren(...ranges.flatMap((range) => [...range.getClientRects()]).map((rectangle) => {
      const box = document.createElement('i');
      box.style.left = rectangle.left - origin.left + 'px';
      box.style.top = rectangle.top - origin.top + 'px';
      box.style.width = rectangle.width + 'px';
      box.style.height = rectangle.height + 'px';
      return box;
    }));
  }
}

/** Evidence is lit in this many strengths. */
export const LEVELS = 3;

/** How strongly a weight is lit beside the heaviest, from 0. */
export const level = (weight, heaviest) => Math.min(LEVELS - 1, Math.floor((weight / heaviest) * LEVELS * 0.999));

export const highlight = (name, priority, sheet) => (SUPPORTED ? new Registered(name, priority) : new Boxes(name, priority, sheet));
