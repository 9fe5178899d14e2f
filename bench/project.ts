/** Measures how fast a project starts again, and how fast its migrations are applied, compared with psql. */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readInstanceRecord } from '@greenroom/data-folder';
import { migrate, openDatabase, platformMigrations } from '@greenroom/postgres';
import { findProject, setUpProject } from '@greenroom/project';
import type { Figure } from './measure/figure.ts';
import { startGreenroomProcess, temporaryFolder } from './measure/process.ts';
import { medianOf, timesText } from './measure/times.ts';

const MIGRATIONS = 50;
const ROUNDS = 5;
const STARTS = 5;
const START_TARGET_MS = 1000;
/** Share of the time of psql. */
const MIGRATIONS_TARGET = 1.5;

/** Runs the group. The figures with psql are absent on a machine without it. */
export async function benchProject(): Promise<Figure[]> {
  const { folder, remove } = await temporaryFolder();
  try {
    const project = join(folder, 'project');
    const files = await writeProject(project);
    const data = join(folder, 'data');
    const start = () => startGreenroomProcess(data, {}, ['--project', project]);
    const first = await start();
    const urls = await readDatabaseUrls(data);
    const migrations = await compareWithPsql(urls, { project, files });
    await first.stop();
    return [...migrations, await startFigure(start)];
  } finally {
    await remove();
  }
}

/** Writes a project whose migrations contain what migrations usually contain. Returns the paths of the migrations. */
async function writeProject(project: string): Promise<string[]> {
  const migrations = join(project, 'supabase/migrations');
  await mkdir(migrations, { recursive: true });
  const files = Array.from({ length: MIGRATIONS }, (_, index) => {
    const number = String(index + 1).padStart(2, '0');
    return { path: join(migrations, `202601010000${number}_table_${number}.sql`), sql: migrationOf(number) };
  });
  await Promise.all(files.map(({ path, sql }) => writeFile(path, sql)));
  return files.map(({ path }) => path);
}

function migrationOf(number: string): string {
  const table = `public.table_${number}`;
  return `create table ${table} (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null,
  title text not null check (char_length(title) between 1 and 200),
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on ${table} (owner_id, created_at desc);
alter table ${table} enable row level security;
create policy "owners read" on ${table} for select using (owner_id = (select auth.uid()));
create policy "owners write" on ${table} for insert with check (owner_id = (select auth.uid()));
create function public.touch_${number}() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end
$$;
create trigger touch before update on ${table} for each row execute function public.touch_${number}();
comment on table ${table} is 'A table with a ''quoted'' comment; and a semicolon.';
`;
}

interface Migrations {
  project: string;
  files: readonly string[];
}

async function compareWithPsql(urls: DatabaseUrls, { project, files }: Migrations): Promise<Figure[]> {
  const psql = findPsql();
  if (psql === undefined)
    return [{ name: `${MIGRATIONS} migrations`, value: 'not measured: psql is not installed' }];
  const admin = openDatabase({ url: urls.admin, max: 1, applicationName: 'bench' });
  const found = await findProject(project);
  if (found === undefined) throw new Error(`${project} is not a project`);
  const own: number[] = [];
  const reference: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    reference.push(
      await timed(admin, urls, async (database) => {
        // Each file is a transaction, as in the project.
        const words = files.flatMap((path) => ['-c', 'begin', '-f', path, '-c', 'commit']);
        execFileSync(psql, [database, '-q', '-v', 'ON_ERROR_STOP=1', ...words], { stdio: 'inherit' });
      }),
    );
    own.push(
      await timed(admin, urls, async (database) => {
        await setUpProject({ project: found, url: database, onProgress: () => {} });
      }),
    );
  }
  await admin.close();
  const share = medianOf(own) / medianOf(reference);
  return [
    { name: `${MIGRATIONS} migrations, psql`, value: timesText(reference) },
    {
      name: `${MIGRATIONS} migrations`,
      value: timesText(own),
      ratio: { of: 'psql', share },
      target: { text: `at most ${MIGRATIONS_TARGET * 100} % of psql`, met: share <= MIGRATIONS_TARGET },
    },
  ];
}

/** Connection URLs of the superuser, and of the role that applies the migrations of a project. */
interface DatabaseUrls {
  admin: string;
  owner: string;
}

/** Reads the URLs of a running instance. */
async function readDatabaseUrls(dataFolder: string): Promise<DatabaseUrls> {
  const { credentials } = (await readInstanceRecord(dataFolder)) ?? {};
  if (!credentials?.adminDatabaseUrl) throw new Error(`no instance is running on ${dataFolder}`);
  return { admin: credentials.adminDatabaseUrl, owner: credentials.databaseUrl };
}

/** Runs `work` on a new database, which has no table of the project; returns its milliseconds. */
async function timed(
  admin: ReturnType<typeof openDatabase>,
  urls: DatabaseUrls,
  work: (database: string) => Promise<void>,
): Promise<number> {
  const name = `bench_${crypto.randomUUID().replaceAll('-', '')}`;
  await admin.query({ text: `create database ${name} owner postgres template template0` });
  const inDatabase = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await migrate(inDatabase(urls.admin), [platformMigrations]);
  const started = performance.now();
  await work(inDatabase(urls.owner));
  const milliseconds = performance.now() - started;
  await admin.query({ text: `drop database ${name} with (force)` });
  return milliseconds;
}

async function startFigure(start: () => ReturnType<typeof startGreenroomProcess>): Promise<Figure> {
  const times: number[] = [];
  for (let index = 0; index < STARTS; index++) {
    const instance = await start();
    times.push(instance.readyMs);
    await instance.stop();
  }
  return {
    name: `later start of a project with ${MIGRATIONS} migrations to ready, median of ${STARTS}`,
    value: timesText(times),
    target: { text: `at most ${START_TARGET_MS} ms`, met: medianOf(times) <= START_TARGET_MS },
  };
}

function findPsql(): string | undefined {
  try {
    execFileSync('psql', ['--version'], { stdio: 'ignore' });
    return 'psql';
  } catch {
    return undefined;
  }
}
