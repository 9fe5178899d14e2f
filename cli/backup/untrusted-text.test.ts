/** Commands on an archive whose texts would change the terminal. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Archive, openOrCreateArchive, openStore } from '@greenroom/backup';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

const ESCAPE = '\u001b]0;title\u0007\u009b31m\nerror: line';
const VISIBLE = '\\u001b]0;title\\u0007\\u009b31m\\u000aerror: line';
const ID = '20261127T101500Z-3fa94c';
const TIME = '2026-11-27T10:15:00.000Z';

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let archive: string;
let opened: Archive;

/** Writes a file of the archive, as everyone with write access can: the seal of a clear archive needs no key. */
async function write(name: string, fields: Record<string, unknown>): Promise<void> {
  const file = { format: 1, ...fields };
  const checksum = createHash('sha256').update(JSON.stringify(file)).digest('hex');
  await mkdir(join(archive, name, '..'), { recursive: true });
  const seal = await opened.encode(name, Buffer.from(checksum, 'hex'));
  await writeFile(join(archive, name), JSON.stringify({ ...file, checksum, seal: seal.toString('base64') }));
}

const writeManifest = (fields: Record<string, unknown> = {}) =>
  write(`backups/${ID}.json`, {
    ...{ id: ID, kind: 'logical', createdAt: TIME, finishedAt: TIME, stopTime: TIME },
    ...{ greenroomVersion: ESCAPE, postgresVersion: ESCAPE },
    ...{ databaseBytes: 0, databaseFiles: 0, contentBytes: 0, contentCount: 0, storedBytes: 0 },
    ...{ indexes: {}, references: { count: 0, sha256: '0'.repeat(64) } },
    ...fields,
  });

const writeProblem = () =>
  write(`checks/${ID}.json`, {
    ...{ backup: ID, checkedAt: TIME, greenroomVersion: '1', method: 'restored', problems: [ESCAPE] },
  });

/** Runs a command, which must print no control characters but ends of lines. */
async function run(...args: string[]): Promise<string> {
  const { output, errors } = await project.run(args, { input: '' });
  expect(`${output}${errors}`.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(`${output}${errors}`.split('\n')).not.toContain('error: line');
  return output + errors;
}

beforeAll(async () => {
  archive = await mkdtemp(join(tmpdir(), 'greenroom-texts-'));
  const secrets = { noEncryption: true };
  opened = await openOrCreateArchive(await openStore(archive), { secrets, greenroomVersion: '1' });
  project = await createProjectInstance({ 'config.toml': '' });
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(archive, { recursive: true });
});

it('versions in a manifest are printed with visible control characters', async () => {
  await writeManifest();
  expect(await run('backup', 'list', archive, '-o', 'json')).toContain(JSON.stringify(VISIBLE));
  const plan = await run('restore', archive, '--no-encryption', '--into', join(archive, 'x'), '--dry-run');
  expect(plan).toContain(`(Greenroom ${VISIBLE}, PostgreSQL ${VISIBLE})`);
});

it('problems of a check, and names of fields, are printed with visible control characters', async () => {
  await writeManifest({
    ...{ kind: 'physical', systemId: '1', timeline: 1, wal: 'contained' },
    ...{ startLsn: '0000000001000000', stopLsn: '0000000002000000', stopTime: new Date().toISOString() },
  });
  await writeProblem();
  const env = { GREENROOM_BACKUP_URL: archive };
  const { output } = await project.run(['doctor', '--production'], { input: '', env });
  expect(output.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(output).toContain(`backup ${ID} cannot be used: ${VISIBLE}`);
  await writeManifest({ indexes: { [ESCAPE]: 1 } });
  expect(await run('backup', 'list', archive)).toContain(`its field indexes.${VISIBLE} is invalid`);
});

it('the version in the message about a newer format is printed with visible control characters', async () => {
  await writeManifest({ format: 2 });
  const warning = await run('backup', 'list', archive);
  expect(warning).toContain(`use Greenroom ${VISIBLE} or newer`);
});

it('a message of an error has visible control characters', async () => {
  expect(await run('restore', archive, '--only', `bucket:a"${'\u001b'}[2J`, '--into', 'x')).toContain(
    'error: ',
  );
  expect(await run('restore', archive, '--to-time', '\u001b[2J')).toContain('\\u001b[2J');
});
