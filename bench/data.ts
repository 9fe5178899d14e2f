/**
 * Reads of the data API beside the same statement through the driver, which sets no role and no settings. Loads and
 * references are processes of their own and take turns.
 */
import { join } from 'node:path';
import {
  ensureRoleLogin,
  migrate,
  openDatabase,
  platformMigrations,
  roleUrl,
  startEmbeddedPostgres,
} from '@greenroom/postgres';
import { type Figure, rateText } from './measure/figure.ts';
import { measureInTurns, startLoad } from './measure/load-process.ts';
import { temporaryFolder } from './measure/process.ts';

const CONCURRENCIES = [1, 16, 64];
/** The server takes a hundred, and load and reference hold theirs at the same time. */
const MOST_CONNECTIONS = 45;
const ROWS = 10_000;
const TURNS = { turns: 3, ms: 1000 };
const SECRET = 'a-secret-of-at-least-thirty-two-bytes';

/** One row by its key, in the shape of every main statement of the data API. */
const READ = `with source as (select id, name, price from public.items where id = $1)
  select null::bigint as total_count, count(*) as page_count, null::bigint as inserted_count, null::text as location,
    current_setting('response.headers', true) as response_headers,
    current_setting('response.status', true) as response_status,
    coalesce(json_agg(source), '[]')::text as body
  from source`;

/** Runs the group. */
export async function benchData(): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const { folder, remove } = await temporaryFolder();
  opened.defer(remove);
  const postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: SECRET,
  });
  opened.defer(() => postgres.stop());
  await populate(postgres.url);
  const figures: Figure[] = [];
  for (const concurrency of CONCURRENCIES) figures.push(...(await benchRead(postgres.url, concurrency)));
  return figures;
}

async function populate(url: string): Promise<void> {
  await migrate(url, [platformMigrations]);
  await ensureRoleLogin('authenticator', { adminUrl: url, secret: SECRET, isNew: true });
  const database = openDatabase({ url, max: 1, applicationName: 'bench' });
  await database.query({
    text: `create table items as
      select i as id, 'item ' || i as name, i * 1.5 as price from generate_series(1, ${ROWS}) as i`,
  });
  await database.query({ text: 'alter table items add primary key (id)' });
  await database.query({ text: 'analyze items' });
  await database.close();
}

async function benchRead(url: string, concurrency: number): Promise<Figure[]> {
  const connections = Math.min(concurrency, MOST_CONNECTIONS);
  const input = { concurrency, connections, text: READ, rows: ROWS };
  const script = (path: string) => join(import.meta.dirname, path);
  const [raw, read] = await measureInTurns(
    [
      startLoad(script('reference/raw-read.ts'), { ...input, url }),
      startLoad(script('load/data-read.ts'), { ...input, url: roleUrl(url, 'authenticator', SECRET) }),
    ],
    TURNS,
  );
  if (raw === undefined || read === undefined) throw new Error('a load has not run');
  const of = `the statement alone, ${concurrency} at once`;
  return [
    { name: of, value: rateText(raw) },
    {
      name: `a read with role and settings, ${concurrency} at once`,
      value: rateText(read),
      ratio: { of, share: read.perSecond / raw.perSecond },
    },
  ];
}
