/**
 * Measures backups of a running instance: their rate next to a plain copy of the cluster to the same disk, the rate of a
 * restore, and how much slower the data API is while its log is shipped and while backups run.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backupSettings } from '@greenroom/backup/settings';
import { loadSettings } from '@greenroom/config';
import { openDatabase } from '@greenroom/postgres';
import type { Figure } from './measure/figure.ts';
import { measureGet, measurePost } from './measure/load.ts';
import { type Running, readKeys, startGreenroomProcess, temporaryFolder } from './measure/process.ts';
import { RepeatedBackups, spawnBackup } from './measure/repeated-backups.ts';
import { medianOf } from './measure/times.ts';

const PROGRAM = join(import.meta.dirname, '..', 'cli', 'bin.mjs');
/** 500 MB: half of them compress well, as rows do. */
const ROWS = 800_000;
const ROUNDS = 4;
const SERVING_ROUNDS = 8;
/** The rate of equal windows differs by up to a sixth, so many of them are compared. */
const PAUSED_ROUNDS = { scheduled: 40, fast: 8 };
const WINDOW = { warmUp: 0, measured: 2 };
/** Time that a resumed backup takes to work at its rate, and a paused one to rest. */
const SETTLE_MS = 100;
const MIN_SHARE = 0.7;
const MIN_SERVING_SHARE = 0.95;
const { maxRate: SCHEDULED_RATE } = loadSettings(backupSettings, {});

/** Runs the group. */
export async function benchBackup(): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const { folder, remove } = await temporaryFolder();
  opened.defer(remove);
  const start = async (name: string, env: Record<string, string>): Promise<Served> => {
    const data = join(folder, name);
    await mkdir(data, { mode: 0o711 });
    const instance = await startGreenroomProcess(data, { GREENROOM_REQUIRE_API_KEY: 'false', ...env });
    opened.defer(() => instance.stop());
    const { DB_URL: url = '' } = await readKeys(data);
    await fill(url);
    await waitUntilDecoded(data);
    return { data, instance };
  };
  const plain = await start('data', {});
  const { data } = plain;
  await writeFile(join(folder, 'continuous.passphrase'), 'a passphrase of the bench', { mode: 0o600 });
  const cluster = join(data, 'postgres');
  const megabytes = sizeOf(cluster);

  const copies: number[] = [];
  const firsts: number[] = [];
  const restores: number[] = [];
  // Nothing is removed in between: ext4 searches long for inodes that were not freed within the last seconds.
  for (let round = 0; round < ROUNDS; round++) {
    const [copy, archive, restored] = ['copy', 'archive', 'restored'].map((name) =>
      join(folder, `${name}-${round}`),
    );
    copies.push(timed('sh', ['-c', `cp -r '${cluster}' '${copy}' && sync -f '${copy}'`]));
    firsts.push(timed(process.execPath, [PROGRAM, 'backup', archive ?? '', '--no-encryption'], data));
    restores.push(
      timed(
        process.execPath,
        [PROGRAM, 'restore', archive ?? '', '--no-encryption', '--into', restored ?? '', '--no-start'],
        data,
      ),
    );
  }
  const rate = (times: readonly number[]) => megabytes / (medianOf(times) / 1000);
  const share = rate(firsts) / rate(copies);
  const shipping = await start('shipping', continuous(join(folder, 'continuous')));
  return [
    { name: `plain copy of ${Math.round(megabytes)} MB, synced`, value: rateText(rate(copies)) },
    {
      name: 'first backup',
      value: rateText(rate(firsts)),
      ratio: { of: 'the plain copy', share },
      target: { text: 'at least 70 %', met: share >= MIN_SHARE },
    },
    { name: 'restore, with its checks', value: rateText(rate(restores)) },
    ...(await servingFigures({ earlier: plain, shipping, later: await start('later', {}) }, folder)),
  ];
}

/** A running instance and its data folder. */
interface Served {
  data: string;
  instance: Running;
}

/** Settings of an instance that ships its log and stores a full backup at its start only. */
function continuous(archive: string): Record<string, string> {
  return {
    GREENROOM_BACKUP_URL: archive,
    GREENROOM_BACKUP_SCHEDULE: 'off',
    GREENROOM_BACKUP_VERIFY: 'false',
    GREENROOM_BACKUP_PASSPHRASE_FILE: `${archive}.passphrase`,
  };
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
    await database.query({
      text: 'create table public.entries (id bigint generated always as identity primary key, text text)',
    });
    await database.query({ text: 'grant insert on public.entries to anon' });
  } finally {
    await database.close();
  }
}

/** Waits until realtime has decoded the rows: its files would vanish while the cluster is copied. */
async function waitUntilDecoded(data: string): Promise<void> {
  const slots = join(data, 'postgres', 'pg_replslot');
  while ((await readdir(slots, { recursive: true })).some((name) => name.endsWith('.spill')))
    await new Promise((resolve) => setTimeout(resolve, 200));
}

/**
 * Compares reads and inserts of instances without backups and of one that ships its log, in turns. Equal instances differ by up to
 * a tenth, so one without backups was started before and one after it, and reads during full backups are compared with those of
 * the same instance while they pause.
 */
async function servingFigures(instances: ServedInstances, folder: string): Promise<Figure[]> {
  const { shipping } = instances;
  const rates = { reads: [] as Pair[], inserts: [] as Pair[] };
  await Promise.all(Object.values(instances).map(waitUntilServed));
  await waitForBackup(shipping);
  for (let round = 0; round < SERVING_ROUNDS; round++)
    rates.reads.push(await inTurns((served) => measureReads(served), instances, round));
  const scheduled = await whileBackupsPause(shipping, {
    place: join(folder, 'scheduled'),
    options: ['--max-rate', String(SCHEDULED_RATE)],
    rounds: PAUSED_ROUNDS.scheduled,
  });
  const fast = await whileBackupsPause(shipping, {
    place: join(folder, 'fast'),
    options: [],
    rounds: PAUSED_ROUNDS.fast,
  });
  // Apart from the backups, which begin with a checkpoint: it would write the rows inserted before.
  for (let round = 0; round < SERVING_ROUNDS; round++)
    rates.inserts.push(await inTurns(measureInserts, instances, round));
  const others = 'those of an instance without backups';
  const own = 'those while the full backup is paused';
  const target = { text: 'at least 95 %', isMet: (share: number) => share >= MIN_SERVING_SHARE };
  return [
    servingFigure('reads of a row while the log is shipped', rates.reads, { of: others, target }),
    servingFigure(
      `reads of a row while the log is shipped and full backups run at ${SCHEDULED_RATE} MB/s, as scheduled ones do`,
      scheduled,
      { of: own, target },
    ),
    servingFigure('reads of a row while the log is shipped and full backups run as fast as possible', fast, {
      of: own,
    }),
    servingFigure('inserts of a row while the log is shipped', rates.inserts, { of: others, target }),
  ];
}

/** An instance that ships its log, and instances without backups that were started before and after it. */
interface ServedInstances {
  earlier: Served;
  shipping: Served;
  later: Served;
}

/** Requests per second without and with backups. */
type Pair = readonly [without: number, during: number];

/** Measures all instances in an order that changes, because later measurements may be slower. */
async function inTurns(
  measure: (served: Served) => Promise<number>,
  { earlier, shipping, later }: ServedInstances,
  round: number,
): Promise<Pair> {
  const [first, last] = round % 2 === 0 ? [earlier, later] : [later, earlier];
  const before = await measure(first);
  const during = await measure(shipping);
  return [(before + (await measure(last))) / 2, during];
}

/** Backups that run while reads are measured. */
interface PausedBackups {
  /** The path of their archives without the number at its end. */
  place: string;
  options: readonly string[];
  rounds: number;
}

/**
 * Compares reads while full backups run with reads while they are paused, in short windows, so that a change in the speed of
 * the machine concerns both.
 */
async function whileBackupsPause(served: Served, { place, options, rounds }: PausedBackups): Promise<Pair[]> {
  const backups = new RepeatedBackups((number) =>
    spawnBackup(
      [PROGRAM, 'backup', `${place}-${number}`, '--no-encryption', ...options],
      environment(served.data),
    ),
  );
  const readsOf = async (isRunning: boolean) => {
    if (isRunning) backups.resume();
    else backups.pause();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return measureReads(served, WINDOW);
  };
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    // The outer and the inner windows have the same mean time.
    const outer = round % 2 === 0;
    const first = await readsOf(outer);
    const inner = (await readsOf(!outer)) + (await readsOf(!outer));
    const last = await readsOf(outer);
    pairs.push(outer ? [inner / 2, (first + last) / 2] : [(first + last) / 2, inner / 2]);
  }
  await backups.stop();
  return pairs;
}

function servingFigure(
  name: string,
  pairs: readonly Pair[],
  { of, target }: { of: string; target?: { text: string; isMet(share: number): boolean } },
): Figure {
  const share = medianOf(pairs.map(([without, during]) => during / without));
  return {
    name,
    value: `${Math.round(medianOf(pairs.map(([, during]) => during)))}/s`,
    ratio: { of, share },
    ...(target && { target: { text: target.text, met: target.isMet(share) } }),
  };
}

async function measureReads({ instance }: Served, duration?: typeof WINDOW): Promise<number> {
  return (await measureGet(`${instance.url}/rest/v1/filler?id=eq.7`, {}, duration)).perSecond;
}

async function measureInserts({ instance }: Served): Promise<number> {
  return (await measurePost(`${instance.url}/rest/v1/entries`, { text: 'a row of text' })).perSecond;
}

async function waitUntilServed({ instance }: Served): Promise<void> {
  while (!(await fetch(`${instance.url}/rest/v1/filler?id=eq.7`)).ok)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Waits for the first full backup, so that only the log is shipped from then on. */
async function waitForBackup({ instance }: Served): Promise<void> {
  for (;;) {
    const { backup } = (await (await fetch(`${instance.url}/health`)).json()) as {
      backup?: { newestBackup?: unknown };
    };
    if (backup?.newestBackup) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
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
