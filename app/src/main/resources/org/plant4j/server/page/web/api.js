// Client of the JSON API. Signs in on 401, retries on 429, and reports every other failure as an ApiError.

import { signIn } from './signin.js';

const TOKEN_KEY = 'plant4j.token';
const MAX_RETRIES = 6;

/** Whether the server knows this browser by a session. */
let session = false;

/** The user for whom this page was loaded. The server refuses requests of anybody who has signed in since. */
let user = null;

/** An error response; `status` is 0 if the server could not be reached. */
export class ApiError extends Error {
  constructor(status, what, where = '', remedy = '') {
    super(what);
    this.status = status;
    this.where = where;
    this.remedy = remedy;
  }
}

export const api = {
  me,
  model: () => call('GET', 'api/model'),
  samples: () => call('GET', 'api/samples'),
  code: (notes, options) => call('POST', 'api/code', { body: { documents: notes, codes: 50 }, ...options }),
  explain: (notes, code, options) => call('POST', 'api/explain', { body: { documents: notes, code }, ...options }),
  search: (query, options) => call('GET', 'api/codes?limit=30&q=' + encodeURIComponent(query), options),
  lookUp: (code, options) => call('GET', 'api/codes/' + code.split('/').map(encodeURIComponent).join('/'), options),
  edits: (request) => call('POST', 'api/edits', { body: request }),
  submit: (review, key, options) => call('POST', 'api/reviews', { body: review, headers: { 'Idempotency-Key': key }, ...options }),
  encounters: (query) => call('GET', 'api/encounters?' + query),
  encounter: (id) => call('GET', 'api/encounters/' + id.split('/').map(encodeURIComponent).join('/')),
  addEncounter: (encounter) => call('POST', 'api/encounters', { body: encounter }),
  nextEncounter: (request) => call('POST', 'api/encounters/next', { body: request }),
  claim: (id) => call('POST', 'api/encounters/claim', { body: { id } }),
  release: (request) => call('POST', 'api/encounters/release', { body: request }),
  secondReview: (request, key) => call('POST', 'api/encounters/second-review', { body: request, headers: { 'Idempotency-Key': key } }),
  exportReviews: () => call('GET', 'api/reviews/export', { as: 'blob' }),
  statistics: (query, options) => call('GET', 'api/statistics?' + query, options),
  report: () => call('GET', 'report', { as: 'text' }),
  signedIn: () => session || sessionStorage.getItem(TOKEN_KEY) !== null,
  signOut,
};

async function me() {
  const found = await call('GET', 'api/me');
  session = found.session;
  user = found.name;
  return found;
}

/** Ends the session, at the provider too, or forgets the token. */
async function signOut() {
  sessionStorage.removeItem(TOKEN_KEY);
  const { next } = session ? await call('POST', 'logout') : {};
  if (next) location.assign(next);
  else location.reload();
}

/** Calls `onWait(seconds)` every second while it waits for a busy server. */
async function call(method, path, options = {}) {
  for (let retries = 0; ; retries++) {
    const token = sessionStorage.getItem(TOKEN_KEY);
    const response = await send(method, path, token, options);
    if (response.status === 204) return null;
    if (response.ok) return options.as ? response[options.as]() : response.json();
    if (response.status === 401) {
      // If another request has signed in meanwhile, try its token before asking again.
      if (token === sessionStorage.getItem(TOKEN_KEY)) {
        const entered = await signIn({ rejected: token !== null, expired: session });
        if (entered !== null) sessionStorage.setItem(TOKEN_KEY, entered);
      }
    } else if (response.status === 429 && retries < MAX_RETRIES) {
      await wait(Number(response.headers.get('Retry-After')) || 2, options);
    } else {
      throw await toApiError(response);
    }
  }
}

async function send(method, path, token, { body, headers, signal }) {
  try {
    return await fetch(path, {
      method,
      signal,
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: 'Bearer ' + token }),
        ...(user !== null && { 'Expected-User': encode(user) }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The server cannot be reached', '', 'Your work is kept in this window.');
  }
}

/** As the server encodes it, which differs in a few characters. */
const encode = (name) => encodeURIComponent(name).replace(/[!'()~]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());

async function wait(seconds, { onWait, signal }) {
  for (let left = Math.ceil(seconds); left > 0; left--) {
    onWait?.(left);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    signal?.throwIfAborted();
  }
}

async function toApiError(response) {
  const body = await response.json().catch(() => ({}));
  const fallback = 'The server responded with status ' + response.status;
  return new ApiError(response.status, body.error ?? fallback, body.where, body.remedy);
}
