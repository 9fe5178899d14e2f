/** POST /token?grant_type=password, for all users in turn. */

import { createIndexSequence } from '../measure/index-sequence.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { createClient } from './http.ts';

const { url, anonKey, emails, password, concurrency } = loadInput<{
  url: string;
  anonKey: string;
  emails: string[];
  password: string;
  concurrency: number;
}>();
const send = createClient(url, concurrency);
const headers = { apikey: anonKey, 'content-type': 'application/json' };
const nextIndex = createIndexSequence(emails.length, concurrency);

serveLoad(concurrency, (loop) =>
  send('/auth/v1/token?grant_type=password', headers, { email: emails[nextIndex(loop)], password }),
);
