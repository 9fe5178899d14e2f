/** POST /token?grant_type=refresh_token; each loop refreshes its own sessions, one after the other. */
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { takeTurns } from '../measure/turn-taking.ts';
import { createAsk } from './http.ts';

const { url, anonKey, tokens, concurrency } = loadInput<{
  url: string;
  anonKey: string;
  tokens: string[];
  concurrency: number;
}>();
const ask = createAsk(url, concurrency);
const headers = { apikey: anonKey, 'content-type': 'application/json' };
const turn = takeTurns(tokens.length, concurrency);

serveLoad(concurrency, async (loop) => {
  const index = turn(loop);
  const body = { refresh_token: tokens[index] };
  const answer = await ask('/auth/v1/token?grant_type=refresh_token', headers, body);
  const [, next] = /"refresh_token":"([a-z0-9]+)"/.exec(answer) ?? [];
  if (next === undefined) throw new Error('no refresh token in the answer');
  tokens[index] = next;
});
