// The manager's page: figures about reviews, by band, coder and code. No note text.

import { ApiError, api } from './api.js';
import { csv } from './csv.js';
import { $, download, h, percent, plural } from './dom.js';

const BANDS = { suggest: 'Suggested', review: 'Needs review', hidden: 'Less likely' };
const OUTCOMES = ['accepted', 'changed', 'rejected', 'undecided'];
const TOP = 20;
const SHOWN = 50;

const count = (n) => n.toLocaleString('en');
const share = (value) => (value === null ? '–' : percent(value));
const overridden = ({ rejected, changed }) => rejected + changed;
const minutes = (seconds) => (seconds === null ? '–' : Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0'));

// A column has a title, the value for CSV, and the cell if it differs.
const number = (title, value) => ({ title, value, cell: (row) => count(value(row)), numeric: true });
const outcomes = OUTCOMES.map((name) => number(name[0].toUpperCase() + name.slice(1), (row) => row[name]));
const acceptance = { title: 'Acceptance', value: (row) => row.acceptance?.toFixed(4) ?? '', cell: (row) => share(row.acceptance), numeric: true };
const bar = { title: '', value: null, meter: (row) => row.acceptance };
const code = { title: 'Code', value: (row) => row.code, cell: (row) => h('span', { class: 'code mono' }, row.code), header: true };
const description = { title: 'Description', value: (row) => row.description, name: true };
const times = [['First quartile', 'first'], ['Median time', 'median'], ['Third quartile', 'third']].map(([title, key]) => (
  { title, value: (row) => row.seconds[key] ?? '', csvTitle: title + ' in seconds', cell: (row) => minutes(row.seconds[key]), numeric: true, csvOnly: key !== 'median' }));

const TABLES = {
  bands: { rows: ({ bands }) => bands, columns: [{ title: 'Band', value: (row) => BANDS[row.band], header: true }, acceptance, bar, ...outcomes] },
  reviewers: { rows: ({ reviewers }) => reviewers, columns: [
    { title: 'Coder', value: (row) => row.reviewer, header: true }, number('Reviews', (row) => row.reviews), number('Second reviews', (row) => row.secondReviews),
    ...times, acceptance, bar, ...outcomes, number('Added', (row) => row.added), number('Out of domain', (row) => row.outOfDomain)] },
  overridden: {
    none: 'No suggestion was rejected or replaced.',
    rows: ({ codes }) => codes.filter((row) => overridden(row) > 0).sort((a, b) => overridden(b) - overridden(a)),
    limit: TOP,
    columns: [code, description, number('Overridden', overridden), acceptance, { title: 'Replaced by', value: (row) => row.replacements.map(({ code: other, count: n }) => other + ' (' + n + ')').join('; '),
      cell: (row) => h('span', { class: 'replacements' }, row.replacements.slice(0, 3).map(({ code: other, count: n }) => other + ' (' + n + ')').join(', ') || '–') }] },
  added: { none: 'No code was added.', rows: ({ codes }) => codes.filter((row) => row.added > 0).sort((a, b) => b.added - a.added), limit: TOP, columns: [code, description, number('Added', (row) => row.added)] },
  codes: { rows: ({ codes }) => codes, limit: SHOWN, columns: [code, description, acceptance, bar, ...outcomes, number('Added', (row) => row.added)] },
};

let statistics = null;
let request = null;

async function load() {
  request?.abort();
  request = new AbortController();
  const query = new URLSearchParams(['from', 'to', 'reviewer'].map((id) => [id, $(id).value]).filter(([, value]) => value));
  try {
    statistics = await api.statistics(query, { signal: request.signal });
  } catch (error) {
    if (error.name === 'AbortError') return;
    if (!(error instanceof ApiError)) throw error;
    $('error').hidden = false;
    $('error').textContent = error.status === 403 ? 'This page is for administrators. Sign in with a token that has the role admin.' : error.message + '. ' + (error.remedy ?? '');
    $('figures').hidden = true;
    return;
  }
  $('error').hidden = true;
  $('figures').hidden = false;
  show();
}

function show() {
  showFacts();
  showShares();
  Object.keys(TABLES).forEach((name) => showTable(name));
  fillReviewers();
  $('live').textContent = plural(statistics.encounters, 'encounter') + ' shown';
}

function showFacts() {
  const { encounters, secondReviews, outOfDomain, seconds, bands } = statistics;
  const suggested = bands.find(({ band }) => band === 'suggest');
  const facts = [
    ['encounters', count(encounters), secondReviews > 0 && plural(secondReviews, 'second review')],
    ['of suggested codes accepted', share(suggested.acceptance)],
    ['minutes per encounter, median', minutes(seconds.median), seconds.measured > 0 && 'half of them ' + minutes(seconds.first) + ' to ' + minutes(seconds.third)],
    ['out of domain', encounters === 0 ? '–' : percent(outOfDomain / encounters, 1), count(outOfDomain) + ' of ' + count(encounters)],
  ];
  $('facts').replaceChildren(...facts.map(([name, value, note]) => h('div', {}, h('dt', {}, name, note && h('span', { class: 'note' }, note)), h('dd', {}, value))));
}

/** One stacked bar per band. */
function showShares() {
  const bars = statistics.bands.filter((row) => OUTCOMES.some((name) => row[name] > 0)).map((row) => {
    const total = OUTCOMES.reduce((sum, name) => sum + row[name], 0);
    let x = 0;
    const parts = OUTCOMES.map((name) => {
      const part = rectangle(name, x, (row[name] / total) * 100);
      x += (row[name] / total) * 100;
      return part;
    });
    const label = BANDS[row.band] + ': ' + OUTCOMES.map((name) => percent(row[name] / total) + ' ' + name).join(', ');
    return h('figure', {}, h('figcaption', {}, BANDS[row.band]), chart(label, parts));
  });
  const legend = h('ul', { class: 'legend' }, OUTCOMES.map((name) => h('li', {}, chart('', [rectangle(name, 0, 100)]), name)));
  $('shares').replaceChildren(...bars, ...(bars.length > 0 ? [legend] : []));
}

const SVG = 'http://www.w3.org/2000/svg';

function chart(label, parts) {
  const svg = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: '0 0 100 10', preserveAspectRatio: 'none', ...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' }) };
  Object.entries(attributes).forEach(([name, value]) => svg.setAttribute(name, value));
  svg.append(...parts);
  return svg;
}

function rectangle(name, x, width) {
  const part = document.createElementNS(SVG, 'rect');
  part.setAttribute('class', 'share-' + name);
  Object.entries({ x, width, y: 0, height: 10 }).forEach(([key, value]) => part.setAttribute(key, value));
  return part;
}

function showTable(name, limit = TABLES[name].limit ?? Infinity) {
  const { columns, rows, none } = TABLES[name];
  const shown = columns.filter(({ csvOnly }) => !csvOnly);
  const all = rows(statistics);
  const cell = (row, column) => {
    if (column.meter) return h('td', { class: 'meter-cell', 'aria-hidden': 'true' }, h('span', { class: 'meter', vars: { '--share': column.meter(row) ?? 0 } }));
    const content = column.cell?.(row) ?? String(column.value(row));
    return column.header ? h('th', { scope: 'row' }, content) : h('td', { class: column.numeric ? 'number' : column.name && 'name' }, content);
  };
  $(name).replaceChildren(
    h('thead', {}, h('tr', {}, shown.map(({ title, numeric }) => (title ? h('th', { scope: 'col', class: numeric && 'number' }, title) : h('td'))))),
    h('tbody', {}, all.length === 0 ? h('tr', {}, h('td', { class: 'empty', colspan: String(shown.length) }, statistics.encounters > 0 && none ? none : 'No reviews in this period.'))
      : all.slice(0, limit).map((row) => h('tr', {}, shown.map((column) => cell(row, column))))));
  if (name === 'codes') {
    $('all-codes').hidden = all.length <= limit;
    $('all-codes').textContent = 'Show all ' + count(all.length) + ' codes';
  }
}

/** All coders of the period; the list stays as it is while one of them is selected. */
function fillReviewers() {
  if ($('reviewer').value !== '') return;
  $('reviewer').replaceChildren(h('option', { value: '' }, 'All coders'), ...statistics.reviewers.map(({ reviewer }) => h('option', { value: reviewer }, reviewer)));
}

function exportTable(name) {
  const columns = TABLES[name].columns.filter(({ value }) => value);
  const rows = TABLES[name].rows(statistics).map((row) => columns.map(({ value }) => String(value(row))));
  download('reviews-' + name + '.csv', 'text/csv', csv([columns.map(({ title, csvTitle }) => csvTitle ?? title), ...rows]));
}

$('filters').addEventListener('change', load);
$('filters').addEventListener('submit', (event) => event.preventDefault());
$('filters').addEventListener('reset', () => setTimeout(load));
$('all-codes').addEventListener('click', () => showTable('codes', Infinity));
document.querySelectorAll('[data-csv]').forEach((button) => {
  button.setAttribute('aria-label', 'Save as CSV: ' + button.parentElement.querySelector('h2').textContent);
  button.addEventListener('click', () => exportTable(button.dataset.csv));
});
$('theme-button').addEventListener('click', () => toggleTheme());

await load();
const me = await api.me().catch(() => null);
if (me) $('user').textContent = me.name;
