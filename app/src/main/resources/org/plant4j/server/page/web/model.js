// The model page: metrics, bands, calibration, and the top tokens per code.

import { ApiError, api } from './api.js';
import { $, debounce, download, h, highlightMatches, percent, plural } from './dom.js';

const HEADLINE_METRICS = ['micro-F1', 'macro-F1', 'MAP', 'P@5', 'P@8', 'P@15', 'R@15', 'micro-AUC', 'macro-AUC'];
/** What a figure means for a coder. */
const MEANINGS = {
  'micro-F1': 'correct and complete, over all codes; frequent codes count most',
  'macro-F1': 'the same for each code alone, then averaged; rare codes count as much as frequent ones',
  MAP: 'how close the correct codes are to the top of the list',
  'P@5': 'correct among the first 5 codes of a note',
  'P@8': 'correct among the first 8 codes of a note',
  'P@15': 'correct among the first 15 codes of a note',
  'R@15': 'codes of a note that are among the first 15',
  'micro-AUC': 'how often a correct code is ranked above a wrong one',
  'macro-AUC': 'the same for each code alone, then averaged',
};
const SPLITS = { dev: 'tuning notes', test: 'test notes' };
const COUNTS = /(^|-)labels$|-per-document$/;
const BANDS = { suggest: 'Suggested', review: 'Needs review', hidden: 'Less likely' };
const formatShare = (share) => (typeof share === 'number' ? percent(share, 1) : 'not measured');
const formatCount = (n) => Number(n).toLocaleString('en');
const formatMetric = (name, value) => (COUNTS.test(name) ? formatCount(value) : percent(value, 1));

// Facts

function showFacts(model) {
  const { train, dev, test } = model.documents ?? {};
  $('name').textContent = model.name;
  $('subtitle').textContent = model.type + ' · version ' + model.version;
  document.title = model.name + ' · Plant4j';
  const facts = [
    ['codes', model.codes, formatCount],
    ['training notes', train, formatCount],
    ['notes for tuning', dev, formatCount],
    ['notes for testing', test, formatCount],
    ['correct and complete in testing (micro-F1)', (model.metrics?.test ?? model.metrics?.dev)?.['micro-F1'], formatShare],
    ['foreign texts', model.guard, (guard) => (guard ? 'detected' : 'not detected')],
  ];
  $('facts').replaceChildren(...facts.filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value, format]) => h('div', {}, h('dt', {}, name), h('dd', {}, format(value)))));
}

// Bands

function showBands(bands) {
  const ascending = [...bands].sort((a, b) => a.threshold - b.threshold);
  const all = [{ band: 'hidden', threshold: 0 }, ...ascending];
  const segments = all.map(({ band, threshold }, i) => ({ band, share: (all[i + 1]?.threshold ?? 1) - threshold }));
  const tick = (position, edge) => h('i', { class: edge, vars: { '--position': position } }, percent(position));
  $('axis').replaceChildren(
    ...segments.map(({ band, share }) => h('div', { class: band, vars: { '--share': share } }, share > 0.12 ? BANDS[band] : '')),
    ...(ascending[0]?.threshold < 0.05 ? [] : [tick(0, 'first')]), ...ascending.map(({ threshold }) => tick(threshold)), tick(1, 'last'));
  $('bands').replaceChildren(
    h('thead', {}, h('tr', {}, h('th', {}, 'Band'), h('th', { class: 'number' }, 'from'), h('th', { class: 'number' }, 'correct'), h('td', { class: 'chart' }), h('th', { class: 'number' }, 'found'))),
    h('tbody', {}, [...ascending].reverse().map(({ band, threshold, precision, recall }) => h('tr', {},
      h('th', { scope: 'row' }, h('span', { class: 'tag ' + band }, BANDS[band])),
      h('td', { class: 'number' }, percent(threshold)),
      h('td', { class: 'number' }, formatShare(precision)),
      h('td', { class: 'chart' }, h('span', { class: 'meter', vars: { '--share': precision ?? 0 } })),
      h('td', { class: 'number' }, formatShare(recall))))));
}

function showCalibration(calibration) {
  if (!calibration?.method) return;
  const { method, eceBefore, eceAfter } = calibration;
  $('calibration').hidden = false;
  $('calibration-text').textContent = 'A probability means what it says: of 100 codes shown with 70%, about 70 are correct. ' + (method.toLowerCase() === 'none' ? 'The scores needed no adjustment. ' : 'It is adjusted with notes that the model had not seen (' + method + '). ') + 'Average difference between shown and actual share, lower is better:';
  const largest = Math.max(eceBefore, eceAfter, Number.MIN_VALUE);
  const row = (name, value, meter) => [h('span', {}, name), h('span', { class: 'meter', vars: { '--share': value / largest, '--meter': meter } }), h('span', { class: 'number' }, percent(value, 2))];
  $('before-after').replaceChildren(...row('before', eceBefore, 'var(--muted)'), ...row('after', eceAfter, 'var(--accent)'));
}

// Metrics

function table(target, names, metrics, chart) {
  const splits = ['dev', 'test'].filter((split) => metrics?.[split]);
  const withMeaning = (name) => chart && h('td', { class: 'meaning muted' }, MEANINGS[name] ?? '');
  const format = (name, value) => (value === undefined || value === null ? '–' : formatMetric(name, value));
  target.replaceChildren(
    h('thead', {}, h('tr', {}, h('th', {}, 'Figure'), chart && h('th', { class: 'meaning' }, 'what it says'), splits.map((split) => h('th', { class: 'number' }, SPLITS[split])), chart && h('td', { class: 'chart' }))),
    h('tbody', {}, names.map((name) => h('tr', {},
      h('th', { scope: 'row' }, name),
      withMeaning(name),
      splits.map((split) => h('td', { class: 'number' }, format(name, metrics[split][name]))),
      chart && h('td', { class: 'chart' }, h('span', { class: 'meter', vars: { '--share': metrics[splits.at(-1)][name] } }))))));
}

function showMetrics(metrics) {
  const names = Object.entries(metrics?.dev ?? metrics?.test ?? {}).filter(([, value]) => typeof value === 'number').map(([name]) => name);
  table($('metrics'), HEADLINE_METRICS.filter((name) => names.includes(name)), metrics, true);
  table($('all-metrics'), names, metrics, false);
  $('more-metrics').hidden = names.length === 0;
}

// One code

async function showCode(code) {
  const details = await request(() => api.lookUp(code));
  if (!details) return;
  history.replaceState(null, '', '#' + encodeURIComponent(code));
  const best = Math.max(...details.tokens.map(({ gain }) => gain), Number.MIN_VALUE);
  const related = (title, codes) => codes.length > 0 && [h('h4', {}, title), h('div', { class: 'related' }, codes.slice(0, 24).map((other) =>
    h('button', { type: 'button', onclick: () => showCode(other.code) }, h('span', { class: 'code mono' }, other.code), other.description)))];
  $('code-entry').replaceChildren(h('article', { class: 'entry' },
    h('p', { class: 'ancestors' }, [...details.parents].reverse().map((parent) => parent.code + ' ' + parent.description).join(' › ')),
    h('div', { class: 'entry-head' }, h('span', { class: 'code mono' }, details.code), h('h3', {}, details.description)),
    h('p', { class: 'ancestors' }, [
      details.inModel ? 'In the model' : 'Not in the model',
      details.trainingDocuments === null || details.trainingDocuments === undefined ? null : plural(details.trainingDocuments, 'training note'),
      details.billable === false ? 'not billable' : null,
    ].filter(Boolean).join(' · ')),
    h('h4', {}, 'Top tokens'),
    details.tokens.length > 0
      ? h('ol', { class: 'tokens' }, details.tokens.map(({ token, gain, rank }) => h('li', {},
        h('span', { class: 'rank number' }, String(rank)), h('span', { class: 'token' }, token),
        h('span', { class: 'meter', vars: { '--share': gain / best, '--meter': 'var(--mark-current)' } }),
        h('span', { class: 'gain number' }, gain.toPrecision(2)))))
      : h('p', { class: 'muted' }, 'This run has no ranked tokens for the code.'),
    related('More specific', details.children), related('Siblings', details.siblings)));
}

/** Binds the code search, a combobox. */
function bindSearch() {
  const input = $('code-input');
  const options = $('code-options');
  let found = [];
  let activeIndex = -1;
  let pending = null;
  const move = (to) => {
    activeIndex = found.length === 0 ? -1 : Math.min(Math.max(to, 0), found.length - 1);
    [...options.querySelectorAll('.option')].forEach((item, i) => {
      item.setAttribute('aria-selected', String(i === activeIndex));
      if (i === activeIndex) item.scrollIntoView({ block: 'nearest' });
    });
    if (activeIndex >= 0) input.setAttribute('aria-activedescendant', 'option-' + activeIndex);
    else input.removeAttribute('aria-activedescendant');
  };
  const open = (shown) => {
    options.hidden = !shown;
    input.setAttribute('aria-expanded', String(shown));
  };
  const choose = (code) => {
    open(false);
    input.value = code.code;
    showCode(code.code);
  };
  const search = debounce(90, async () => {
    const query = input.value.trim();
    pending?.abort();
    if (query === '') return open(false);
    pending = new AbortController();
    const codes = await request(() => api.search(query, { signal: pending.signal }));
    if (!codes) return undefined;
    found = codes;
    options.replaceChildren(...(found.length === 0 ? [h('p', {}, 'No code found.')] : found.map((code, i) =>
      h('div', { class: 'option', role: 'option', id: 'option-' + i, onpointerdown: (event) => { event.preventDefault(); choose(code); } },
        h('span', { class: 'code mono' }, highlightMatches(code.code, query)), h('span', { class: 'description' }, highlightMatches(code.description, query)),
        code.inModel === false && h('span', { class: 'tag' }, 'not in model')))));
    open(true);
    return move(0);
  });
  input.addEventListener('input', search);
  input.addEventListener('blur', () => open(false));
  input.addEventListener('keydown', (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) move(activeIndex + steps[event.key]);
    else if (event.key === 'Enter' && found[activeIndex] && !options.hidden) choose(found[activeIndex]);
    else if (event.key === 'Escape') open(false);
    else return;
    event.preventDefault();
  });
}

/** Returns the result of an API call, or undefined after showing its error. */
async function request(call) {
  try {
    const result = await call();
    $('error').hidden = true;
    return result;
  } catch (error) {
    if (error.name === 'AbortError') return undefined;
    if (!(error instanceof ApiError)) throw error;
    $('error').hidden = false;
    $('error').textContent = error.message + '. ' + (error.remedy ?? '');
    return undefined;
  }
}

// A link cannot send a token, so signed-in users download the report.
$('report').addEventListener('click', async (event) => {
  if (!api.signedIn()) return;
  event.preventDefault();
  const report = await request(api.report);
  if (report) download('report.html', 'text/html', report);
});
api.me().then(({ name, role }) => {
  $('user').textContent = name;
  $('manage-link').hidden = role !== 'admin';
}, () => {});
$('theme-button').addEventListener('click', () => toggleTheme());
bindSearch();

const model = await request(api.model);
if (model) {
  showFacts(model);
  showBands(model.bands ?? []);
  showCalibration(model.calibration);
  showMetrics(model.metrics);
  if (location.hash.length > 1) showCode(decodeURIComponent(location.hash.slice(1)));
}
