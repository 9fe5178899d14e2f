/** POST /token?grant_type=password, for all users in turn. */
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { takeTurns } from '../measure/turn-taking.ts';
import { createAsk } from './http.ts';

const { url, anonKey, emails, password, concurrency } = loadInput<{
  url: string;
  anonKey: string;
  emails: string[];
  password: string;
  concurrency: number;
}>();
const ask = createAsk(url, concurrency);
const headers = { apikey: anonKey, 'content-type': 'application/json' };
const turn = takeTurns(emails.length, concurrency);

serveLoad(concurrency, (loop) =>
  ask('/auth/v1/token?grant_type=password', headers, { email: emails[turn(loop)], password }),
);
