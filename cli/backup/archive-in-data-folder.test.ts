/** Archives in the data folder, which backups would contain. */
import { chmod, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let place: string;
let project: Awaited<ReturnType<typeof createProjectInstance>>;
let dataFolder: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-inside-'));
  await chmod(place, 0o711);
  await writeFile(join(place, 'passphrase'), 'a long passphrase\n', { mode: 0o600 });
  project = await createProjectInstance({});
  dataFolder = join(project.folder, '.greenroom');
  await project.start();
  await project.stop();
  await symlink(dataFolder, join(place, 'link'));
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(place, { recursive: true });
});

it.each([
  ['a relative path', () => '.greenroom/backups'],
  ['a link', () => join(place, 'link/backups')],
  ['one file', () => '.greenroom/backup.tar'],
])('greenroom backup refuses %s, and creates nothing', async (_name, where) => {
  const { code, output, errors } = await project.run(
    ['backup', where(), '--passphrase-file', join(place, 'passphrase')],
    { input: '' },
  );
  expect([code, output]).toEqual([1, '']);
  expect(errors).toMatch(
    /^error: (?:folder|file) \/.* is in .*\.greenroom, which is backed up, .* outside of it/,
  );
  expect((await readdir(dataFolder)).filter((name) => name.startsWith('backup'))).toEqual([]);
});

it('an instance whose GREENROOM_BACKUP_URL is in its data folder serves, and reports that it is not backed up', async () => {
  const env = {
    LOG_LEVEL: 'info',
    GREENROOM_BACKUP_URL: '.greenroom/backups',
    GREENROOM_BACKUP_PASSPHRASE_FILE: join(place, 'passphrase'),
  };
  const printed = await project.start([], { env });
  const [, url] = /^ready (\S+)/m.exec(printed) ?? [];
  await vi.waitFor(
    () => expect(project.printed()).toMatch(/which is backed up.*the instance is not being backed up/),
    { timeout: 60_000 },
  );
  const { backup } = await (await fetch(`${url}/health`)).json();
  expect(backup.state).not.toBe('ok');
  expect(await readdir(dataFolder)).not.toContain('backups');
  await project.stop();
});
