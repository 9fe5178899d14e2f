/** The reference for GET /user: its statement alone, over as many connections as the service has. */
import { findCallerDatabaseOnly } from '@greenroom/auth/database-only';
import { openDatabase } from '@greenroom/postgres';
import { createIndexSequence } from '../measure/index-sequence.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';

const { url, connections, people, concurrency } = loadInput<{
  url: string;
  connections: number;
  people: { userId: string; sessionId: string }[];
  concurrency: number;
}>();
const database = openDatabase({ url, max: connections, applicationName: 'bench' });
const nextIndex = createIndexSequence(people.length, concurrency);

serveLoad(concurrency, async (loop) => {
  const { userId = '', sessionId = '' } = people[nextIndex(loop)] ?? {};
  await findCallerDatabaseOnly(database, userId, sessionId);
});
