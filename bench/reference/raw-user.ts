/** The reference for GET /user: its statement alone, over as many connections as the service has. */
import { findCallerDatabaseOnly } from '@greenroom/auth/database-only';
import { openDatabase } from '@greenroom/postgres';
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { takeTurns } from '../measure/turn-taking.ts';

const { url, connections, people, concurrency } = loadInput<{
  url: string;
  connections: number;
  people: { userId: string; sessionId: string }[];
  concurrency: number;
}>();
const database = openDatabase({ url, max: connections, applicationName: 'bench' });
const turn = takeTurns(people.length, concurrency);

serveLoad(concurrency, async (loop) => {
  const { userId = '', sessionId = '' } = people[turn(loop)] ?? {};
  await findCallerDatabaseOnly(database, userId, sessionId);
});
