import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics } from '@greenroom/http';
import { Gauge, Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRecorder } from './recorder.ts';

const INTERVAL_MS = 1000;

let folder: string;
let warnings: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-history-'));
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function recorderOf(query: () => Promise<never[]>) {
  const { window } = createMetrics();
  const registry = new Registry();
  new Gauge({ name: 'greenroom_realtime_sockets', help: 'Sockets', registers: [registry] }).set(3);
  const recorder = createRecorder({
    path: join(folder, 'history.json'),
    window,
    database: { query },
    services: [{ metrics: undefined }, { metrics: registry }],
    log: { warn: (_: unknown, text: string) => void warnings.push(text) } as never,
    intervalMs: INTERVAL_MS,
  });
  return { recorder, window };
}

const respond = async () => [{ connections: 5, database_bytes: 1000, file_bytes: 20 }] as never[];
const fail = async () => Promise.reject(new Error('the database does not respond'));

async function untilSampled(recorder: ReturnType<typeof recorderOf>['recorder'], count: number) {
  while (recorder.samples('hour').length < count) await sleep(20);
}

it('records samples, stores them at the end for its owner only, and continues with them', async () => {
  const first = recorderOf(respond);
  first.recorder.start();
  first.window.record('rest', 500, 12);
  await untilSampled(first.recorder, 1);
  await first.recorder.close();
  const second = recorderOf(fail);
  second.recorder.start();
  await untilSampled(second.recorder, 2);
  const [before, after] = second.recorder.samples('hour');
  expect(before).toMatchObject({
    requests: 1,
    serverErrors: 1,
    services: { rest: [1, 1] },
    databaseConnections: 5,
    databaseBytes: 1000,
    fileBytes: 20,
    sockets: 3,
  });
  // Without the database, the values of the process are still recorded.
  expect(after).toMatchObject({ requests: 0, p95: null, databaseConnections: null, sockets: 3 });
  expect(after?.memoryBytes).toBeGreaterThan(0);
  await second.recorder.close();
  const path = join(folder, 'history.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(warnings).toEqual([]);
});

it.each(['{"version": 1, "samples": {', '{"version": 99}', ''])(
  'reports a file with the content %j, and begins again',
  async (content) => {
    const path = join(folder, 'history.json');
    await writeFile(path, content);
    const { recorder } = recorderOf(respond);
    recorder.start();
    await recorder.close();
    expect(recorder.samples('week')).toEqual([]);
    expect(warnings).toEqual(['the history of the instance cannot be read and begins again']);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ version: 1 });
  },
);
