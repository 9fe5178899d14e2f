/** Measures the effect of slow uploads on other clients: the rate of the data API without and with them. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@greenroom/postgres';
import type { RestInput } from '../load/rest.ts';
import { type Figure, rateText } from '../measure/figure.ts';
import { rateOf, startLoad } from '../measure/load-process.ts';
import { BUCKET, type Fixture } from './fixture.ts';

const UPLOADS = 50;
const ROUNDS = 4;
const ROUND_MS = 1500;
const SHARE = 0.8;
const TABLE = [
  'create table items (id int primary key, name text not null, price numeric not null)',
  "insert into items select i, 'item ' || i, i from generate_series(1, 1000) as i",
  'grant select on items to anon',
];

/** Alternates rounds without and with uploads. */
export async function benchSlowUploads(fixture: Fixture): Promise<Figure[]> {
  const database = openDatabase({ url: fixture.databaseUrl, max: 1, applicationName: 'bench' });
  for (const text of TABLE) await database.query({ text });
  await database.close();
  const url = `${fixture.instance.url}/rest/v1`;
  while (!(await fetch(`${url}/items?limit=1`)).ok) await sleep(50);
  const input: RestInput = { url, headers: {}, scenario: 'a row by its key', concurrency: 16 };
  const rest = startLoad(join(import.meta.dirname, '../load/rest.ts'), input);
  const slow = startLoad(join(import.meta.dirname, '../load/slow-uploads.ts'), {
    url: `${fixture.url}/object/${BUCKET}/slow-`,
    headers: fixture.headers,
    uploads: UPLOADS,
  });
  const alone = [];
  const withUploads = [];
  await rest.run(ROUND_MS);
  for (let index = 0; index < ROUNDS; index += 1) {
    alone.push(await rest.run(ROUND_MS));
    const [round] = await Promise.all([rest.run(ROUND_MS), slow.run(ROUND_MS)]);
    withUploads.push(round);
  }
  await Promise.all([rest.stop(), slow.stop()]);
  const [free, busy] = [rateOf(alone), rateOf(withUploads)];
  const share = busy.perSecond / free.perSecond;
  return [
    { name: 'the data API alone', value: rateText(free) },
    {
      name: `the data API during ${UPLOADS} slow uploads`,
      value: rateText(busy),
      ratio: { of: 'alone', share },
      target: { text: `at least ${SHARE * 100} %`, met: share >= SHARE },
    },
  ];
}
