/** Bodies that are expensive to parse, whether or not their sender may write. */
import type { Attack, AttackContext } from '../../attacker/attack.ts';
import { apiHeaders, flood } from '../../attacker/http.ts';

const LINES = 7_000_000;
const JSON_BYTES = 16 * 1024 * 1024;

/** Sends CSV to a table that anonymous clients may not write. */
export const csvAnonymous: Attack = {
  name: 'data/csv-anonymous',
  description: 'CSV of 14 MB with 7 million lines to a table without a grant, 2 at once',
  cost: 'event loop and memory: parsing rows that are refused afterwards',
  run: (context) => postCsv(context, '/rest/v1/abuse_locked', undefined),
};

/** Sends CSV to a table that the account may write. */
export const csvSignedIn: Attack = {
  name: 'data/csv-signed-in',
  description: 'CSV of 14 MB with 7 million lines from an account to a table with a grant',
  cost: 'event loop and memory; an insert of 7 million rows',
  run: (context) => postCsv(context, '/rest/v1/abuse_notes', context.accounts[0]?.accessToken),
};

/** Sends nested arrays. */
export const nestedJson: Attack = {
  name: 'data/nested-json',
  description: '16 MB of nested JSON arrays, 2 at once',
  cost: 'event loop or stack: parsing nested JSON',
  run: (context) => {
    const half = JSON_BYTES / 2 - 10;
    const body = Buffer.from('['.repeat(half) + ']'.repeat(half));
    return flood(context, {
      sockets: 2,
      request: () => ({ path: '/rest/v1/abuse_notes', headers: apiHeaders(context), body }),
    });
  },
};

/** Sends an array of very many small objects with different keys. */
export const manyKeys: Attack = {
  name: 'data/many-keys',
  description: '10 MB of JSON objects, each with a different key, 2 at once',
  cost: 'event loop and memory: collecting the columns',
  run: (context) => {
    const objects = Array.from({ length: 600_000 }, (_, index) => `{"k${index}":1}`);
    const body = Buffer.from(`[${objects.join(',')}]`);
    const headers = apiHeaders(context, context.accounts[0]?.accessToken);
    return flood(context, { sockets: 2, request: () => ({ path: '/rest/v1/abuse_notes', headers, body }) });
  },
};

/** Inserts 200 rows per request into a table that realtime watches. */
export const insertFlood: Attack = {
  name: 'data/inserts',
  description: 'inserts of 200 rows into a table that realtime watches, by 5 accounts, 50 at once',
  cost: 'the pool of connections, disk, and the decoding of the log for realtime',
  run: (context) => {
    const body = JSON.stringify(Array.from({ length: 200 }, () => ({ text: 'x'.repeat(500) })));
    return flood(context, {
      sockets: 50,
      request: (index) => ({
        path: '/rest/v1/abuse_noise',
        headers: apiHeaders(context, context.accounts[index % context.accounts.length]?.accessToken),
        body,
      }),
    });
  },
};

function postCsv(context: AttackContext, path: string, accessToken: string | undefined): Promise<void> {
  const body = Buffer.from(`text\n${'1\n'.repeat(LINES)}`);
  const headers = { ...apiHeaders(context, accessToken), 'content-type': 'text/csv' };
  return flood(context, { sockets: 2, request: () => ({ path, headers, body }) });
}
