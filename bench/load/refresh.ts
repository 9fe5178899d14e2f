/** POST /token?grant_type=refresh_token; each loop refreshes its own sessions, one after the other. */

import { createIndexSequence } from '../measure/index-sequence.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { createClient } from './http.ts';

const { url, anonKey, tokens, concurrency } = loadInput<{
  url: string;
  anonKey: string;
  tokens: string[];
  concurrency: number;
}>();
const send = createClient(url, concurrency);
const headers = { apikey: anonKey, 'content-type': 'application/json' };
const nextIndex = createIndexSequence(tokens.length, concurrency);

serveLoad(concurrency, async (loop) => {
  const index = nextIndex(loop);
  const body = { refresh_token: tokens[index] };
  const response = await send('/auth/v1/token?grant_type=refresh_token', headers, body);
  const [, next] = /"refresh_token":"([a-z0-9]+)"/.exec(response) ?? [];
  if (next === undefined) throw new Error('no refresh token in the response');
  tokens[index] = next;
});
