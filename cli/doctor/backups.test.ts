/** `greenroom doctor --production` on an instance with an archive of backups. */
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listBackups, openArchive, openStore, writeCheck } from '@greenroom/backup';
import { readInstanceRecord } from '@greenroom/data-folder';
import { readSecretFile } from '@greenroom/server/backup';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LONG = { timeout: 60_000, interval: 100 };
const OF_BACKUPS = ['backups', 'backup key', 'backup place'];

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let place: string;
let archive: string;
let passphrase: string;
let settings: Record<string, string>;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-doctor-'));
  archive = join(place, 'archive');
  passphrase = join(place, 'passphrase');
  settings = {
    GREENROOM_BACKUP_URL: archive,
    GREENROOM_BACKUP_PASSPHRASE_FILE: passphrase,
    GREENROOM_BACKUP_VERIFY: 'false',
  };
  project = await createProjectInstance({ 'config.toml': '' });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(place, { recursive: true });
});

/** Returns the outcomes of the checks of backups, as state and message. */
async function examine(changes: Record<string, string> = {}, laterMs = 0): Promise<string[]> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + laterMs });
  const env = { ...settings, ...changes };
  const { output } = await project.run(['doctor', '--production', '-o', 'json'], { env });
  vi.useRealTimers();
  const results = JSON.parse(output) as { check: string; state: string; message: string; remedy?: string }[];
  const found = results.filter(({ check }) => OF_BACKUPS.includes(check));
  for (const { state, remedy } of found) expect(remedy === undefined).toBe(/^(ok|skipped)$/.test(state));
  return found.map(({ check, state, message }) => `${check}: ${state}: ${message}`);
}

async function recordCheck(problems: string[]): Promise<void> {
  const store = await openStore(archive);
  const id = (await listBackups(store)).backups.at(-1)?.id ?? '';
  const checkedAt = new Date().toISOString();
  const secrets = { passphrase: await readSecretFile(passphrase) };
  const opened = await openArchive(store, { secrets });
  await writeCheck(opened, id, { checkedAt, greenroomVersion: '0.1.0', method: 'restored', problems });
  await store.close();
}

it('doctor --production finds an archive without backups, a passphrase without a file, and a place that is none', async () => {
  expect(await examine()).toEqual([
    'backups: problem: there is no backup yet',
    expect.stringMatching(/^backup key: problem: .*passphrase cannot be read: ENOENT/),
    expect.stringMatching(/^backup place: warning: .*archive is on the disk of the data folder/),
  ]);
  expect(
    await examine({ GREENROOM_BACKUP_URL: 'ftp://host/x', GREENROOM_BACKUP_PASSPHRASE_FILE: '' }),
  ).toEqual([
    expect.stringMatching(/^backups: problem: the backups cannot be read: ftp:\/\/ is not supported/),
    expect.stringMatching(/^backup key: warning: no passphrase is set/),
    'backup place: skipped: GREENROOM_BACKUP_URL names no place',
  ]);
});

it('doctor --production accepts a continuous backup, and finds one that is behind, not verified, bad or old', async () => {
  await writeFile(passphrase, 'a long passphrase\n', { mode: 0o600 });
  await project.start([], { env: settings });
  const { apiUrl } = (await readInstanceRecord(join(project.folder, '.greenroom'))) ?? {};
  await vi.waitFor(async () => {
    const { backup } = (await (await fetch(`${apiUrl}/health`)).json()) as {
      backup: { state: string; newestBackup?: string };
    };
    expect([backup.state, typeof backup.newestBackup]).toEqual(['ok', 'string']);
  }, LONG);
  const unverified = await examine();
  expect(unverified).toEqual([
    expect.stringMatching(/^backups: ok: all changes until 20.*Z are stored$/),
    'backups: warning: no backup of the last two days was verified',
    expect.stringMatching(/^backup key: ok: only its owner can read .*passphrase$/),
    expect.stringMatching(/^backup place: warning: /),
  ]);
  await recordCheck([]);
  expect((await examine())[1]).toMatch(/^backups: ok: backup 20\S+ was verified$/);
  expect((await examine({}, 15 * MINUTE_MS))[0]).toMatch(
    /^backups: problem: changes since 20.*Z are not stored$/,
  );
  await project.stop();
  expect((await examine({}, 15 * MINUTE_MS))[0]).toMatch(/^backups: ok: /);
  await recordCheck(['index a is damaged']);
  expect((await examine())[1]).toMatch(/^backups: problem: backup 20\S+ cannot be used: index a is damaged$/);
  expect((await examine({}, 2 * DAY_MS))[0]).toMatch(/^backups: problem: the newest backup is of 20/);
});

it('doctor --production accepts backups of the command, on another disk or in a bucket', async () => {
  const env = { GREENROOM_BACKUP_CONTINUOUS: 'false' };
  expect((await examine(env))[0]).toMatch(/^backups: ok: the newest backup is of 20/);
  expect(await examine({ GREENROOM_BACKUP_URL: 's3://archive/x?endpoint=http://127.0.0.1:1' })).toEqual([
    expect.stringMatching(/^backups: problem: the backups cannot be read: /),
    expect.stringMatching(/^backup key: ok: /),
    'backup place: ok: the archive is in a bucket',
  ]);
  const shared = await stat('/dev/shm').catch(() => undefined);
  if (shared === undefined || shared.dev === (await stat(project.folder)).dev) return;
  expect((await examine({ GREENROOM_BACKUP_URL: '/dev/shm/greenroom-none' })).at(-1)).toBe(
    'backup place: ok: /dev/shm/greenroom-none is on another file system than the data folder',
  );
});

it('doctor --production finds a passphrase that other users can read, and accepts a recipient', async () => {
  await chmod(passphrase, 0o640);
  expect((await examine()).at(-2)).toMatch(/^backup key: problem: other users can read .*chmod 600 /);
  const { output } = await project.run(['backup', 'keygen']);
  const [, recipient = ''] = /(greenroom-recipient-\S+)/.exec(output) ?? [];
  expect(
    (await examine({ GREENROOM_BACKUP_PASSPHRASE_FILE: '', GREENROOM_BACKUP_RECIPIENT: recipient })).at(-2),
  ).toMatch(/^backup key: ok: the archive is for a recipient/);
});

it('doctor --production finds an archive in the data folder', async () => {
  const outcomes = await examine({ GREENROOM_BACKUP_URL: '.greenroom/backups' });
  expect(outcomes.at(-1)).toMatch(
    /^backup place: problem: folder .* is in .*\.greenroom, which is backed up, /,
  );
});
