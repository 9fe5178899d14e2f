/** The program on the page about the format reads an archive, so that the page is sufficient for other programs. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Archive } from './archive.ts';
import { createChunkWriter } from './chunks/chunk-writer.ts';
import { listChunks } from './chunks/list-chunks.ts';
import { manifestName, referencesName } from './layout.ts';
import { createTestArchive, createTestFolder, type TestFolder } from './testing/archives.ts';
import { writeTestBackup } from './testing/backups.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/reference/backup-archive.md'), 'utf8');
const [, PROGRAM = ''] = /```js\n([\s\S]*?)```/.exec(PAGE) ?? [];
const PASSPHRASE = 'Größe 12';

let place: TestFolder;
let program: string;

beforeEach(async () => {
  place = await createTestFolder();
  program = join(place.folder, 'read-blob.mjs');
  await writeFile(program, PROGRAM);
});
afterEach(() => place.close());

const readBlob = (...options: string[]) =>
  execFileSync(process.execPath, [program, place.folder, ...options], { stdio: 'pipe' });

describe.each([
  ['with a passphrase', { passphrase: PASSPHRASE }, [PASSPHRASE]],
  ['without encryption', { noEncryption: true }, []],
])('the program of the page %s', (_name, secrets, options) => {
  let archive: Archive;

  beforeEach(async () => {
    archive = await createTestArchive(place.store, secrets);
  });

  it.each([
    ['compressible content', Buffer.alloc(10_000, 'content ')],
    ['content that is not compressible', createHash('sha512').update('x').digest()],
  ])('reads a blob of %s', async (_content, plain) => {
    await archive.putBlob('wal/1-1/0000000000000000-0000000000000001', plain);
    expect(readBlob('wal/1-1/0000000000000000-0000000000000001', ...options)).toEqual(plain);
  });

  it('reads the pieces of a backup by its index and its references', async () => {
    const pieces = [Buffer.from('first piece'), Buffer.from('second piece')];
    const { id } = await writeTestBackup(archive, pieces);
    const { indexes, references } = JSON.parse((await place.store.get(manifestName(id))).toString());
    const pathOf = (chunk: string) => `chunks/${chunk.slice(0, 2)}/${chunk}`;
    const lines = readBlob(pathOf(indexes.database[0]), ...options)
      .toString()
      .trim()
      .split('\n');
    const listed: string[] = lines.map((line) => JSON.parse(line));
    expect(listed.map((chunk) => readBlob(pathOf(chunk), ...options))).toEqual(pieces);
    const list = await place.store.get(referencesName(id));
    expect(createHash('sha256').update(list).digest('hex')).toBe(references.sha256);
    expect(list.length).toBe(references.count * 32);
    for (const chunk of listed) expect(list.includes(Buffer.from(chunk, 'hex'))).toBe(true);
  });

  it('reads the checksum in the seal of a manifest', async () => {
    const { id } = await writeTestBackup(archive);
    const { checksum, seal, ...fields } = JSON.parse((await place.store.get(manifestName(id))).toString());
    expect(createHash('sha256').update(JSON.stringify(fields)).digest('hex')).toBe(checksum);
    // The program reads files, so the seal is stored under the name that it is bound to.
    await place.store.put(manifestName(id), Buffer.from(seal, 'base64'));
    expect(readBlob(manifestName(id), ...options).toString('hex')).toBe(checksum);
  });
});

it('the program of the page fails with a wrong passphrase', async () => {
  const archive = await createTestArchive(place.store, { passphrase: PASSPHRASE });
  const writer = createChunkWriter(archive, await listChunks(place.store));
  const id = await writer.write(Buffer.from('piece'));
  await writer.finish();
  const name = `chunks/${id.slice(0, 2)}/${id}`;
  expect(() => readBlob(name, 'wrong')).toThrow(/unable to authenticate/);
});
