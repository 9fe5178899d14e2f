/** GET /user, for all users in turn. */

import { createIndexSequence } from '../measure/index-sequence.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { createClient } from './http.ts';

const { url, anonKey, accessTokens, concurrency } = loadInput<{
  url: string;
  anonKey: string;
  accessTokens: string[];
  concurrency: number;
}>();
const send = createClient(url, concurrency);
const nextIndex = createIndexSequence(accessTokens.length, concurrency);

serveLoad(concurrency, (loop) =>
  send('/auth/v1/user', { apikey: anonKey, authorization: `Bearer ${accessTokens[nextIndex(loop)]}` }),
);
