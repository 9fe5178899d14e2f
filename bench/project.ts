/** Measures how fast a project starts again, and how fast its migrations are applied, compared with psql. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readInstanceRecord } from '@greenroom/data-folder';
import { migrate, openDatabase, platformMigrations } from '@greenroom/postgres';
import { findProject, setUpProject } from '@greenroom/project';
import type { Figure } from './measure/figure.ts';
import { startGreenroomProcess, temporaryFolder } from './measure/process.ts';
import { medianOf, timesText } from './measure/times.ts';
import { writeLargeProject, writeProject } from './project/write-project.ts';

const MIGRATIONS = 50;
const MANY_MIGRATIONS = 1000;
const ROUNDS = 5;
const STARTS = 5;
const START_TARGET_MS = 1000;
/** Share of the time of psql. */
const MIGRATIONS_TARGET = 1.5;

/** Runs the group. The figures with psql are absent on a machine without it. */
export async function benchProject(): Promise<Figure[]> {
  return [...(await benchUsualProject()), await benchLargeProject()];
}

async function benchLargeProject(): Promise<Figure> {
  const { folder, remove } = await temporaryFolder();
  try {
    const project = join(folder, 'project');
    await writeLargeProject(project, MANY_MIGRATIONS);
    const start = () => startGreenroomProcess(join(folder, 'data'), {}, ['--project', project]);
    await (await start()).stop();
    return await startFigure(start, MANY_MIGRATIONS);
  } finally {
    await remove();
  }
}

async function benchUsualProject(): Promise<Figure[]> {
  const { folder, remove } = await temporaryFolder();
  try {
    const project = join(folder, 'project');
    const files = await writeProject(project, MIGRATIONS);
    const data = join(folder, 'data');
    const start = () => startGreenroomProcess(data, {}, ['--project', project]);
    const first = await start();
    const urls = await readDatabaseUrls(data);
    const migrations = await compareWithPsql(urls, { project, files });
    await first.stop();
    return [...migrations, await startFigure(start, MIGRATIONS)];
  } finally {
    await remove();
  }
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

async function startFigure(
  start: () => ReturnType<typeof startGreenroomProcess>,
  migrations: number,
): Promise<Figure> {
  const times: number[] = [];
  for (let index = 0; index < STARTS; index++) {
    const instance = await start();
    times.push(instance.readyMs);
    await instance.stop();
  }
  return {
    name: `later start of a project with ${migrations} migrations to ready, median of ${STARTS}`,
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
