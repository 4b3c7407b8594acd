// The server's JSON API. Signs in on 401, waits on 429, and turns every other failure into one kind of error.

import { signIn } from './signin.js';

const TOKEN = 'desk.token';
const MOST_WAITS = 6;

/** What went wrong and what to do about it; `status` 0 means that the server could not be reached. */
export class ApiError extends Error {
  constructor(status, what, where = '', remedy = '') {
    super(what);
    this.status = status;
    this.where = where;
    this.remedy = remedy;
  }
}

export const api = {
  model: () => call('GET', 'api/model'),
  samples: () => call('GET', 'api/samples'),
  code: (notes, options) => call('POST', 'api/code', { body: { notes, codes: 50 }, ...options }),
  explain: (notes, code, options) => call('POST', 'api/explain', { body: { notes, code }, ...options }),
  search: (query, options) => call('GET', 'api/codes?limit=30&q=' + encodeURIComponent(query), options),
  lookUp: (code, options) => call('GET', 'api/codes/' + code.split('/').map(encodeURIComponent).join('/'), options),
  submit: (review, key, options) => call('POST', 'api/reviews', { body: review, headers: { 'Idempotency-Key': key }, ...options }),
  exportReviews: () => call('GET', 'api/reviews/export', { as: 'text' }),
  report: () => call('GET', 'report', { as: 'text' }),
  signedIn: () => sessionStorage.getItem(TOKEN) !== null,
  signOut: () => sessionStorage.removeItem(TOKEN),
};

/** `onWait(seconds)` hears of every wait for a busy server. */
async function call(method, path, options = {}) {
  for (let waits = 0; ; waits++) {
    const token = sessionStorage.getItem(TOKEN);
    const response = await send(method, path, token, options);
    if (response.ok) return options.as === 'text' ? response.text() : response.json();
    if (response.status === 401) {
      // Another request may have signed in meanwhile: then its token is tried first.
      if (token === sessionStorage.getItem(TOKEN)) sessionStorage.setItem(TOKEN, await signIn(token !== null));
    } else if (response.status === 429 && waits < MOST_WAITS) {
      await pause(Number(response.headers.get('Retry-After')) || 2, options);
    } else {
      throw await fault(response);
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
        ...headers,
      },
      body: body && JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The server cannot be reached', '', 'What you did is kept in this window.');
  }
}

async function pause(seconds, { onWait, signal }) {
  for (let left = Math.ceil(seconds); left > 0; left--) {
    onWait?.(left);
    await new Promise((done) => setTimeout(done, 1000));
    signal?.throwIfAborted();
  }
}

async function fault(response) {
  const answer = await response.json().catch(() => ({}));
  const fallback = 'The server answered ' + response.status;
  return new ApiError(response.status, answer.error ?? fallback, answer.where, answer.remedy);
}
