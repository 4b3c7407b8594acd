// The model's page: how good it is, how certain it must be, and what it learned of each code.

import { $, debounce, emphasised, h, percent, plural, saveAs } from './dom.js';
import { ApiError, api } from './server.js';

const HEADLINES = ['micro-F1', 'macro-F1', 'MAP', 'P@5', 'P@8', 'P@15', 'R@15', 'micro-AUC', 'macro-AUC'];
const TYPES = { laat: 'LAAT', caml: 'CAML', plant: 'PLANT', isd: 'ISD', linear: 'Linear', prior: 'Frequency prior' };
const BANDS = { suggest: 'Suggested', review: 'Needs review', hidden: 'Less likely, hidden' };
const measured = (share) => (typeof share === 'number' ? percent(share, 1) : 'not measured');
const whole = (n) => Number(n).toLocaleString('en');

// Facts

function showFacts(model) {
  const { train, dev, test } = model.trainedOn ?? {};
  $('name').textContent = model.name;
  $('subtitle').textContent = (TYPES[model.type] ?? model.type) + ' · version ' + model.version;
  document.title = model.name + ' · Plant4j';
  const facts = [
    ['codes it can suggest', whole(model.codes)],
    ['training notes', train],
    ['dev notes', dev],
    ['test notes', test],
    ['micro-F1 on ' + (model.metrics?.test ? 'test' : 'dev'), (model.metrics?.test ?? model.metrics?.dev)?.['micro-F1']?.toFixed(3)],
  ];
  $('facts').replaceChildren(...facts.filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, typeof value === 'number' ? whole(value) : value))));
}

// Bands

function showBands(bands) {
  const rising = [...bands].sort((a, b) => a.from - b.from);
  const all = [{ band: 'hidden', from: 0 }, ...rising];
  const parts = all.map(({ band, from }, i) => ({ band, share: (all[i + 1]?.from ?? 1) - from }));
  const tick = (at, edge) => h('i', { class: edge, vars: { '--at': at } }, percent(at));
  $('axis').replaceChildren(
    ...parts.map(({ band, share }) => h('div', { class: band, vars: { '--share': share } }, share > 0.12 ? BANDS[band] : '')),
    ...(rising[0]?.from < 0.05 ? [] : [tick(0, 'first')]), ...rising.map(({ from }) => tick(from)), tick(1, 'last'));
  $('bands').replaceChildren(
    h('thead', {}, h('tr', {}, h('th', {}, 'Band'), h('th', { class: 'number' }, 'from'), h('th', { class: 'number' }, 'precision'), h('td', { class: 'chart' }), h('th', { class: 'number' }, 'recall'))),
    h('tbody', {}, [...rising].reverse().map(({ band, from, precision, recall }) => h('tr', {},
      h('th', { scope: 'row' }, h('span', { class: 'tag ' + band }, BANDS[band])),
      h('td', { class: 'number' }, percent(from)),
      h('td', { class: 'number' }, measured(precision)),
      h('td', { class: 'chart' }, h('span', { class: 'meter', vars: { '--share': precision ?? 0 } })),
      h('td', { class: 'number' }, measured(recall))))));
}

function showCalibration(calibration) {
  if (!calibration?.method) return;
  const { method, eceBefore, eceAfter } = calibration;
  $('calibration').hidden = false;
  $('calibration-text').textContent = 'Probabilities are calibrated on dev (' + method + '), so that of the codes shown with 70 % about seven in ten are right. Expected calibration error, smaller is better:';
  const largest = Math.max(eceBefore, eceAfter, Number.MIN_VALUE);
  const row = (name, value, meter) => [h('span', {}, name), h('span', { class: 'meter', vars: { '--share': value / largest, '--meter': meter } }), h('span', { class: 'number' }, percent(value, 2))];
  $('before-after').replaceChildren(...row('before', eceBefore, 'var(--muted)'), ...row('after', eceAfter, 'var(--accent)'));
}

// Metrics

function table(target, names, metrics, chart) {
  const parts = ['dev', 'test'].filter((part) => metrics?.[part]);
  const shown = (value) => (value === undefined || value === null ? '–' : Number.isInteger(value) && value > 1 ? whole(value) : value.toFixed(3));
  target.replaceChildren(
    h('thead', {}, h('tr', {}, h('th', {}, 'Metric'), parts.map((part) => h('th', { class: 'number' }, part)), chart && h('td', { class: 'chart' }))),
    h('tbody', {}, names.map((name) => h('tr', {},
      h('th', { scope: 'row' }, name),
      parts.map((part) => h('td', { class: 'number' }, shown(metrics[part][name]))),
      chart && h('td', { class: 'chart' }, h('span', { class: 'meter', vars: { '--share': metrics[parts.at(-1)][name] } }))))));
}

function showMetrics(metrics) {
  const names = Object.entries(metrics?.dev ?? metrics?.test ?? {}).filter(([, value]) => typeof value === 'number').map(([name]) => name);
  table($('metrics'), HEADLINES.filter((name) => names.includes(name)), metrics, true);
  table($('all-metrics'), names, metrics, false);
  $('more-metrics').hidden = names.length === 0;
}

// One code

async function showCode(code) {
  const entry = await asked(() => api.lookUp(code));
  if (!entry) return;
  history.replaceState(null, '', '#' + encodeURIComponent(code));
  const best = Math.max(...entry.tokens.map(({ gain }) => gain), Number.MIN_VALUE);
  const kin = (title, codes) => codes.length > 0 && [h('h4', {}, title), h('div', { class: 'kin' }, codes.slice(0, 24).map((other) =>
    h('button', { type: 'button', onclick: () => showCode(other.code) }, h('span', { class: 'code mono' }, other.code), other.description)))];
  $('code-entry').replaceChildren(h('article', { class: 'entry' },
    h('p', { class: 'trail' }, [...entry.parents].reverse().map((parent) => parent.code + ' ' + parent.description).join(' › ')),
    h('div', { class: 'entry-head' }, h('span', { class: 'code mono' }, entry.code), h('h3', {}, entry.description)),
    h('p', { class: 'trail' }, [
      entry.known ? 'The model can suggest it' : 'The model has not learned it',
      entry.trainingDocuments === null || entry.trainingDocuments === undefined ? null : 'in ' + plural(entry.trainingDocuments, 'training note'),
      entry.billable === false ? 'not billable' : null,
    ].filter(Boolean).join(' · ')),
    h('h4', {}, 'Words that speak for it'),
    entry.tokens.length > 0
      ? h('ol', { class: 'tokens' }, entry.tokens.map(({ token, gain, rank }) => h('li', {},
        h('span', { class: 'rank number' }, String(rank)), h('span', { class: 'token' }, token),
        h('span', { class: 'meter', vars: { '--share': gain / best, '--meter': 'var(--mark-now)' } }),
        h('span', { class: 'gain number' }, gain.toPrecision(2)))))
      : h('p', { class: 'muted' }, 'This run holds no ranked words for the code.'),
    kin('More specific', entry.children), kin('Siblings', entry.siblings)));
}

/** A combobox over the code book. */
function listenToSearch() {
  const input = $('code-input');
  const options = $('code-options');
  let found = [];
  let at = -1;
  let request = null;
  const move = (to) => {
    at = found.length === 0 ? -1 : Math.min(Math.max(to, 0), found.length - 1);
    [...options.querySelectorAll('.option')].forEach((item, i) => {
      item.setAttribute('aria-selected', String(i === at));
      if (i === at) item.scrollIntoView({ block: 'nearest' });
    });
    if (at >= 0) input.setAttribute('aria-activedescendant', 'option-' + at);
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
    request?.abort();
    if (query === '') return open(false);
    request = new AbortController();
    const answer = await asked(() => api.search(query, { signal: request.signal }));
    if (!answer) return undefined;
    found = answer;
    options.replaceChildren(...(found.length === 0 ? [h('p', {}, 'No code found.')] : found.map((code, i) =>
      h('div', { class: 'option', role: 'option', id: 'option-' + i, onpointerdown: (event) => { event.preventDefault(); choose(code); } },
        h('span', { class: 'code mono' }, emphasised(code.code, query)), h('span', { class: 'description' }, emphasised(code.description, query)),
        code.known === false && h('span', { class: 'tag' }, 'not in model')))));
    open(true);
    return move(0);
  });
  input.addEventListener('input', search);
  input.addEventListener('blur', () => open(false));
  input.addEventListener('keydown', (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) move(at + steps[event.key]);
    else if (event.key === 'Enter' && found[at] && !options.hidden) choose(found[at]);
    else if (event.key === 'Escape') open(false);
    else return;
    event.preventDefault();
  });
}

/** The answer, or undefined with the fault shown. */
async function asked(question) {
  try {
    const answer = await question();
    $('fault').hidden = true;
    return answer;
  } catch (error) {
    if (error.name === 'AbortError') return undefined;
    if (!(error instanceof ApiError)) throw error;
    $('fault').hidden = false;
    $('fault').textContent = error.message + '. ' + (error.remedy ?? '');
    return undefined;
  }
}

/** A link cannot carry a token, so a signed-in reader gets the report as a file. */
$('report').addEventListener('click', async (event) => {
  if (!api.signedIn()) return;
  event.preventDefault();
  const report = await asked(api.report);
  if (report) saveAs('report.html', 'text/html', report);
});
$('theme-button').addEventListener('click', () => toggleTheme());
listenToSearch();

const model = await asked(api.model);
if (model) {
  showFacts(model);
  showBands(model.bands ?? []);
  showCalibration(model.calibration);
  showMetrics(model.metrics);
  if (location.hash.length > 1) showCode(decodeURIComponent(location.hash.slice(1)));
}
