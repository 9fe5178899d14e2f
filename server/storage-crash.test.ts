/**
 * A process that is killed during uploads: every acknowledged upload exists completely, and no other file is left.
 * `CRASH_UPLOADS=500 npx vitest run server/storage-crash` makes more uploads.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Database, openDatabase } from '@greenroom/postgres';
import { freePort } from '@greenroom/testing/free-port';
import { afterAll, beforeAll, expect, it } from 'vitest';

const UPLOADS = Number(process.env.CRASH_UPLOADS ?? 100);
const KILLS = Math.max(2, Math.round(UPLOADS / 100));
const CLIENTS = 6;
const KEYS_OF_CLIENT = 5;
const MOST_BYTES = 700_000;
const BUCKET = 'crash';
const POLL = { timeout: 60_000, interval: 100 };

/** Prints one line of JSON when it accepts requests. */
const SERVER = `
  import { loadConfig } from './settings.ts';
  import { startGreenroom } from ${JSON.stringify(new URL('./start.ts', import.meta.url).href)};
  const { url, backend } = await startGreenroom({ config: loadConfig(process.env), pages: 'none' });
  console.log(JSON.stringify({ url, databaseUrl: backend.databaseUrl, key: backend.apiKeys.serviceRole }));`;

interface Running {
  child: ChildProcess;
  url: string;
  databaseUrl: string;
  key: string;
}

/**
 * The possible contents of a key: the last acknowledged one, or one that was in transit when the process was killed.
 */
interface Expected {
  acknowledged: string | undefined;
  possible: Set<string>;
}

let folder: string;
let running: Running | undefined;
const expected = new Map<string, Expected>();
let begun = 0;
let acknowledged = 0;
/** Uploads that a kill has interrupted. */
let cutOff = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-crash-'));
  await chmod(folder, 0o711);
});
afterAll(async () => {
  if (running) {
    running.child.kill('SIGTERM');
    await once(running.child, 'exit');
  }
  await rm(folder, { recursive: true });
}, 60_000);

async function start(): Promise<Running> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--input-type=module', '-e', SERVER], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, GREENROOM_DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'error' },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return { child, ...JSON.parse(line) };
  }
  throw new Error('the server has ended');
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  if (!running) throw new Error('there is no server');
  const headers = { authorization: `Bearer ${running.key}`, ...init.headers };
  return fetch(`${running.url}/storage/v1${path}`, { ...init, headers });
}

/** Uploads to its own keys until there are enough, or the server no longer responds. */
async function client(number: number): Promise<void> {
  while (begun < UPLOADS) {
    begun += 1;
    const key = `client-${number}/${randomInt(KEYS_OF_CLIENT)}.bin`;
    const bytes = randomBytes(randomInt(5) === 0 ? randomInt(10) : randomInt(MOST_BYTES));
    const hash = hashOf(bytes);
    const state = expected.get(key) ?? { acknowledged: undefined, possible: new Set() };
    expected.set(key, state);
    state.possible.add(hash);
    try {
      const response = await upload(key, bytes);
      expect(response.status, await response.text()).toBe(200);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      cutOff += 1;
      return;
    }
    acknowledged += 1;
    state.acknowledged = hash;
    state.possible = new Set([hash]);
  }
}

/** Sends a form, or the plain bytes. */
function upload(key: string, bytes: Buffer<ArrayBuffer>): Promise<Response> {
  if (randomInt(2) === 0) return request(`/object/${BUCKET}/${key}`, { method: 'PUT', body: bytes });
  const body = new FormData();
  body.append('', new Blob([bytes]));
  return request(`/object/${BUCKET}/${key}`, { method: 'POST', headers: { 'x-upsert': 'true' }, body });
}

async function killAfter(uploads: number, clients: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void clients.finally(() => {
    hasEnded = true;
  });
  while (acknowledged < uploads && !hasEnded) await new Promise((resolve) => setTimeout(resolve, 1));
  if (!running) return;
  running.child.kill('SIGKILL');
  await once(running.child, 'exit');
}

/** Checks the content of every key, and records it as its content from now on. */
async function checkContent(): Promise<void> {
  for (const [key, state] of expected) {
    const response = await request(`/object/${BUCKET}/${key}`);
    if (response.status === 400) {
      expect(state.acknowledged, `${key} was acknowledged, and is not there`).toBeUndefined();
      state.possible.clear();
      continue;
    }
    const hash = hashOf(await response.bytes());
    expect(response.status).toBe(200);
    expect(state.possible, `${key} has the sent content, completely`).toContain(hash);
    state.acknowledged = hash;
    state.possible = new Set([hash]);
  }
}

async function versionsOfRows(database: Database): Promise<string[]> {
  const rows = await database.query<{ version: string }>({ text: 'select version from storage.objects' });
  return rows.map(({ version }) => version).toSorted();
}

/** Returns content files in their place, or in transit to it. */
async function namesOfFiles(): Promise<string[]> {
  const folders = ['incoming', 'objects'].map((name) => join(folder, 'storage', name));
  const entries = folders.map((path) => readdir(path, { recursive: true, withFileTypes: true }));
  return (await Promise.all(entries))
    .flat()
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}

it(`no upload is lost and no file is left if storage is killed ${KILLS} times in ${UPLOADS} uploads`, {
  timeout: 300_000 + UPLOADS * 1000,
  tags: ['trial'],
}, async () => {
  running = await start();
  const created = await request('/bucket', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: BUCKET }),
  });
  expect(created.status, await created.text()).toBe(200);

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    await Promise.all([clients, killAfter((UPLOADS * kill) / (KILLS + 1), clients)]);
    const before = await namesOfFiles();
    running = await start();
    await checkContent();
    const database = openDatabase({ url: running.databaseUrl, max: 1, applicationName: 'test' });
    try {
      const rows = await versionsOfRows(database);
      expect(before, 'no row is without a file').toEqual(expect.arrayContaining(rows));
      await expect.poll(namesOfFiles, POLL).toEqual(rows);
    } finally {
      await database.close();
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  await checkContent();
  expect(acknowledged).toBeGreaterThan(UPLOADS / 2);
  // Otherwise nothing has been tested. The number of them that had a file by then is random.
  expect(cutOff).toBe(KILLS * CLIENTS);
});
