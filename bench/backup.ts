/**
 * Measures backups of a running instance: their rate next to a plain copy of the cluster to the same disk, the rate of a
 * restore, and how much slower the data API is while backups run.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@greenroom/postgres';
import type { Figure } from './measure/figure.ts';
import { measureGet } from './measure/load.ts';
import { readKeys, startGreenroomProcess, temporaryFolder } from './measure/process.ts';
import { medianOf } from './measure/times.ts';

const PROGRAM = join(import.meta.dirname, '..', 'cli', 'bin.mjs');
/** 500 MB: half of them compress well, as rows do. */
const ROWS = 800_000;
const ROUNDS = 3;
const MIN_SHARE = 0.7;
const MIN_SERVING_SHARE = 0.95;

/** Runs the group. */
export async function benchBackup(): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const { folder, remove } = await temporaryFolder();
  opened.defer(remove);
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o711 });
  const instance = await startGreenroomProcess(data, { GREENROOM_REQUIRE_API_KEY: 'false' });
  opened.defer(() => instance.stop());
  const { DB_URL: url = '' } = await readKeys(data);
  await fill(url);
  const cluster = join(data, 'postgres');
  const megabytes = sizeOf(cluster);

  const copies: number[] = [];
  const firsts: number[] = [];
  const restores: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [copy, archive, restored] = ['copy', 'archive', 'restored'].map((name) => join(folder, name));
    copies.push(timed('sh', ['-c', `cp -r '${cluster}' '${copy}' && sync -f '${copy}'`]));
    firsts.push(timed(process.execPath, [PROGRAM, 'backup', archive ?? '', '--no-encryption'], data));
    restores.push(
      timed(process.execPath, [PROGRAM, 'restore', archive ?? '', '--into', restored ?? ''], data),
    );
    for (const path of [copy, archive, restored]) await rm(path ?? '', { recursive: true, force: true });
  }
  const rate = (times: readonly number[]) => megabytes / (medianOf(times) / 1000);
  const share = rate(firsts) / rate(copies);
  return [
    { name: `plain copy of ${Math.round(megabytes)} MB, synced`, value: rateText(rate(copies)) },
    {
      name: 'first backup',
      value: rateText(rate(firsts)),
      ratio: { of: 'the plain copy', share },
      target: { text: 'at least 70 %', met: share >= MIN_SHARE },
    },
    { name: 'restore, with its checks', value: rateText(rate(restores)) },
    await servingFigure(`${instance.url}/rest/v1/filler?id=eq.7`, folder, data),
  ];
}

async function fill(url: string): Promise<void> {
  const database = openDatabase({ url, max: 1, applicationName: 'bench' });
  try {
    await database.query({
      text: `create table public.filler as
        select id, md5(id::text) || md5((id + 1)::text) as random, repeat('a row of text ', 30) as text
        from generate_series(1, ${ROWS}) id`,
    });
    await database.query({ text: 'alter table public.filler add primary key (id)' });
    await database.query({ text: 'grant select on public.filler to anon' });
    await database.query({ text: 'checkpoint' }).catch(() => undefined);
  } finally {
    await database.close();
  }
}

/** Compares the reads of a row with and without backups, in turns. */
async function servingFigure(url: string, folder: string, data: string): Promise<Figure> {
  while (!(await fetch(url)).ok) await new Promise((resolve) => setTimeout(resolve, 50));
  const alone: number[] = [];
  const during: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push((await measureGet(url)).perSecond);
    const backups = repeatBackups(join(folder, `load-${round}`), data);
    during.push((await measureGet(url)).perSecond);
    await backups.stop();
  }
  const share = medianOf(during) / medianOf(alone);
  return {
    name: 'reads of a row while backups run',
    value: `${Math.round(medianOf(during))}/s`,
    ratio: { of: 'those without backups', share },
    target: { text: 'at least 95 %', met: share >= MIN_SERVING_SHARE },
  };
}

/** Runs first backups one after the other until it is stopped. */
function repeatBackups(archive: string, data: string): { stop(): Promise<void> } {
  let isStopped = false;
  const running = (async () => {
    for (let number = 0; !isStopped; number++) {
      const child = spawn(process.execPath, [PROGRAM, 'backup', `${archive}-${number}`, '--no-encryption'], {
        env: environment(data),
        stdio: 'ignore',
      });
      await once(child, 'exit');
      await rm(`${archive}-${number}`, { recursive: true, force: true });
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

function timed(program: string, args: readonly string[], data = ''): number {
  const started = performance.now();
  execFileSync(program, args, { env: environment(data), stdio: ['ignore', 'ignore', 'inherit'] });
  return performance.now() - started;
}

function environment(data: string): NodeJS.ProcessEnv {
  return { ...process.env, GREENROOM_DATA_DIR: data, XDG_STATE_HOME: join(data, 'state') };
}

/** Returns the megabytes of all files in a folder. */
function sizeOf(folder: string): number {
  return Number(execFileSync('du', ['-sm', '--apparent-size', folder], { encoding: 'utf8' }).split('\t')[0]);
}

function rateText(megabytes: number): string {
  return `${Math.round(megabytes)} MB/s`;
}
