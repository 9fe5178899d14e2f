/**
 * Measures a list of 1,000 objects in a bucket of a million, compared with the query alone; and pages of a folder with half
 * of them, sorted by a date.
 */
import { type Database, openDatabase } from '@greenroom/postgres';
import type { Figure } from '../measure/figure.ts';
import { medianTimeOf } from '../measure/median-time.ts';
import { type Fixture, post } from './fixture.ts';

const OBJECTS = Number(process.env.BENCH_OBJECTS ?? 1_000_000);
const BUCKET = 'many';
const LIMIT = 1000;
const DATED_LIMIT = 100;
const CALLS = 40;
const TARGET_MS = 50;

const COLUMNS = 'name, id, updated_at, created_at, last_accessed_at, metadata';
const RAW = {
  text: `select ${COLUMNS} from storage.objects where bucket_id = $1 and name > $2 order by name collate "C" limit $3`,
  name: 'bench_list',
};

/** Half of the objects are in folders of a hundred, and half in one folder. Dates are not in the order of names. */
const FILL = `insert into storage.objects (bucket_id, name, version, metadata, created_at, updated_at)
  select '${BUCKET}', case when i % 2 = 0 then format('folder %s/%s.txt', i / 200, i) else format('flat/%s.txt', i) end,
    gen_random_uuid()::text, jsonb_build_object('size', i, 'mimetype', 'text/plain', 'eTag', md5(i::text)),
    now() - i::bigint * 7919 % ${OBJECTS} * interval '1 second', now() - i::bigint * 104729 % ${OBJECTS} * interval '1 second'
  from generate_series(1, ${OBJECTS}) as i`;
/** The object in the middle of the folder in the order of a date. */
const MIDDLE = `select name, created_at from storage.objects where bucket_id = '${BUCKET}' and name like 'flat/%'
  order by created_at desc limit 1 offset ${OBJECTS / 4}`;

export async function benchLists(fixture: Fixture): Promise<Figure[]> {
  const database = openDatabase({ url: fixture.databaseUrl, max: 1, applicationName: 'bench' });
  try {
    await fill(fixture, database);
    const raw = await medianTimeOf(CALLS, () => database.query({ ...RAW, values: [BUCKET, 'flat/', LIMIT] }));
    const list = (body: object, path = 'list') =>
      medianTimeOf(CALLS, () => post(fixture, `/object/${path}/${BUCKET}`, { limit: LIMIT, ...body }));
    const bucket = `${LIMIT.toLocaleString('en')} of ${OBJECTS.toLocaleString('en')}`;
    return [
      { name: `list ${bucket}: the query alone`, value: `${raw.toFixed(1)} ms` },
      figure(`list ${bucket}, objects of one folder`, await list({ prefix: 'flat' }), raw),
      figure(`list ${bucket}, folders`, await list({ prefix: '' }), raw),
      figure(`list ${bucket}, the second thousand`, await list({ prefix: 'flat', offset: LIMIT }), raw),
      figure(`list-v2 ${bucket}`, await list({ prefix: 'flat/' }, 'list-v2'), raw),
      figure(`list-v2 ${bucket}, folders`, await list({ prefix: '', with_delimiter: true }, 'list-v2'), raw),
      ...(await benchDates(database, list)),
    ];
  } finally {
    await database.close();
  }
}

/** Measures pages of the large folder that are sorted by a date. */
async function benchDates(
  database: Database,
  list: (body: object, path?: string) => Promise<number>,
): Promise<Figure[]> {
  const folder = `${DATED_LIMIT} of a folder of ${(OBJECTS / 2).toLocaleString('en')}`;
  const by = (column: string) => ({ limit: DATED_LIMIT, sortBy: { column, order: 'desc' } });
  const [middle] = await database.query<{ name: string; created_at: Date }>({ text: MIDDLE });
  const lines = [`l:${middle?.name}`, 'o:desc', 'c:created_at', `a:${middle?.created_at.toISOString()}`];
  const cursor = Buffer.from(lines.join('\n')).toString('base64');
  const deep = await list({ ...by('created_at'), prefix: 'flat', offset: OBJECTS / 4 });
  return [
    dated(`list ${folder} by created_at`, await list({ ...by('created_at'), prefix: 'flat' })),
    dated(`list ${folder} by updated_at`, await list({ ...by('updated_at'), prefix: 'flat' })),
    { name: `list ${folder} by created_at, from its middle`, value: `${deep.toFixed(1)} ms` },
    dated(`list-v2 ${folder} by created_at`, await list({ ...by('created_at'), prefix: 'flat/' }, 'list-v2')),
    dated(
      `list-v2 ${folder} by created_at, from its middle`,
      await list({ ...by('created_at'), prefix: 'flat/', cursor }, 'list-v2'),
    ),
    dated(
      `list-v2 ${folder} by updated_at, with folders`,
      await list({ ...by('updated_at'), prefix: 'flat/', with_delimiter: true }, 'list-v2'),
    ),
  ];
}

function dated(name: string, ms: number): Figure {
  return {
    name,
    value: `${ms.toFixed(1)} ms`,
    target: { text: `at most ${TARGET_MS} ms`, met: ms <= TARGET_MS },
  };
}

async function fill(fixture: Fixture, database: Database): Promise<void> {
  await post(fixture, '/bucket', { name: BUCKET });
  await database.query({ text: FILL });
  await database.query({ text: 'vacuum analyze storage.objects' });
}

function figure(name: string, ms: number, raw: number): Figure {
  return {
    name,
    value: `${ms.toFixed(1)} ms  (${(ms / raw).toFixed(1)} × the query)`,
    target: { text: `under ${TARGET_MS} ms`, met: ms < TARGET_MS },
  };
}
