// Highlighted ranges of the note, painted without changing its DOM.

const SUPPORTED = typeof Highlight === 'function' && CSS.highlights !== undefined;

/** One kind of highlight, styled by `::highlight(name)` in coding.css. Of overlapping highlights, the higher priority wins. */
class NativeHighlight {
  #highlight = new Highlight();
  #ranges = [];

  constructor(name, priority) {
    this.#highlight.priority = priority;
    CSS.highlights.set(name, this.#highlight);
  }

  /** Does nothing if the ranges are unchanged. */
  paint(ranges) {
    if (ranges.length === this.#ranges.length && ranges.every((range, i) => range === this.#ranges[i])) return;
    this.#ranges = ranges;
    this.#highlight.clear();
    ranges.forEach((range) => this.#highlight.add(range));
  }
}

/** Fallback for browsers without the CSS Custom Highlight API: boxes behind the text, positioned by the ranges' rectangles. */
class BoxHighlight {
  #layer = document.createElement('div');
  #content;
  #ranges = [];

  constructor(name, priority, content) {
    this.#content = content;
    this.#layer.className = 'boxes ' + name;
    this.#layer.style.zIndex = String(priority - 10);
    this.#layer.setAttribute('aria-hidden', 'true');
    new ResizeObserver(() => this.paint(this.#ranges)).observe(content);
  }

  paint(ranges) {
    this.#ranges = ranges;
    if (!this.#layer.isConnected) this.#content.append(this.#layer);
    const origin = this.#content.getBoundingClientRect();
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

/** Number of highlight strengths for evidence. */
export const LEVELS = 3;

/** Highlight strength of a weight relative to the heaviest one, from 0. */
export const level = (weight, heaviest) => Math.min(LEVELS - 1, Math.floor((weight / heaviest) * LEVELS * 0.999));

export const highlight = (name, priority, content) => (SUPPORTED ? new NativeHighlight(name, priority) : new BoxHighlight(name, priority, content));
