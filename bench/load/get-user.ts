/** GET /user, for all users in turn. */
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { takeTurns } from '../measure/turn-taking.ts';
import { createAsk } from './http.ts';

const { url, anonKey, accessTokens, concurrency } = loadInput<{
  url: string;
  anonKey: string;
  accessTokens: string[];
  concurrency: number;
}>();
const ask = createAsk(url, concurrency);
const turn = takeTurns(accessTokens.length, concurrency);

serveLoad(concurrency, (loop) =>
  ask('/auth/v1/user', { apikey: anonKey, authorization: `Bearer ${accessTokens[turn(loop)]}` }),
);
