/** Reads by primary key, as requests of the data API run them: settings, role, row as JSON, one write. */
import { runRequest } from '@greenroom/data/execute/run';
import { openRawPool } from '@greenroom/postgres';
import { loadInput, serveLoad } from '../measure/load-process.ts';
import type { ReadInput } from '../reference/raw-read.ts';

const { url, concurrency, connections, text, rows } = loadInput<ReadInput>();
const pool = openRawPool({ url, max: connections, applicationName: 'bench' });
const headers = JSON.stringify({
  accept: 'application/json',
  'user-agent': 'bench',
  'x-padding': 'x'.repeat(300),
});
const searchPath = ['public', 'extensions'];
let next = 0;

serveLoad(concurrency, async () => {
  next = (next + 7919) % rows;
  const settings = {
    searchPath,
    role: 'anon',
    claims: '{"role":"anon"}',
    method: 'GET',
    path: '/items',
    headers,
    cookies: '{}',
  };
  const { body } = await runRequest(pool, {
    settings,
    main: { text, values: [String(next + 1)] },
    isReadOnly: true,
    ending: { kind: 'implicit' },
  });
  if (!body?.length) throw new Error('no body');
});
