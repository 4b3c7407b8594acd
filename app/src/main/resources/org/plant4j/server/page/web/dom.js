// DOM helpers. Text is always inserted as text nodes, so no note or description can become HTML.

export const $ = (id) => document.getElementById(id);

/** Creates an element with attributes, `on…` listeners, `vars` (CSS custom properties) and children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name === 'vars') Object.entries(value).forEach(([key, v]) => element.style.setProperty(key, v));
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', '#icon-' + name);
  svg.append(use);
  return svg;
}

/** A shortcut shown inside a button; hidden from screen readers, so it is not part of the button's name. */
export const keycap = (key) => h('kbd', { 'aria-hidden': 'true' }, key);

export const percent = (share, digits = 0) => (share * 100).toFixed(digits) + '%';

/** Formats a probability; never as 0% or 100%. */
export function probability(p) {
  if (p >= 0.995) return '>99%';
  return p < 0.01 ? '<1%' : percent(p);
}

export const plural = (n, one, many = one + 's') => n.toLocaleString('en') + ' ' + (n === 1 ? one : many);

/** Runs the last of a burst of calls after a pause. */
export function debounce(milliseconds, run) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), milliseconds);
  };
}

/** A text with the words of a query in bold. */
export function highlightMatches(text, query) {
  const words = query.trim().split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [text];
  const pieces = text.split(new RegExp('(' + words.join('|') + ')', 'iu'));
  return pieces.map((piece, i) => (i % 2 === 1 ? h('b', {}, piece) : piece));
}

export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Closes a dialog on a click on its backdrop or on a button with `data-close`. */
export function closable(dialog) {
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog || event.target.closest('[data-close]')) dialog.close();
  });
  return dialog;
}
