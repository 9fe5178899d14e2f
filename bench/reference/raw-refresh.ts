/** The reference for refreshes: their statements alone, over as many connections as the service has. */
import { createHash } from 'node:crypto';
import { refreshDatabaseOnly } from '@greenroom/auth/database-only';
import { openDatabase } from '@greenroom/postgres';
import { createIndexSequence } from '../measure/index-sequence.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';

const { url, connections, tokens, concurrency } = loadInput<{
  url: string;
  connections: number;
  tokens: string[];
  concurrency: number;
}>();
const database = openDatabase({ url, max: connections, applicationName: 'bench' });
const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
const nextIndex = createIndexSequence(hashes.length, concurrency);

serveLoad(concurrency, async (loop) => {
  const index = nextIndex(loop);
  hashes[index] = await refreshDatabaseOnly(database, hashes[index] ?? '');
});
