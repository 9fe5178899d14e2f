/** Creating archives, and opening them with the right and the wrong secret. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChunkReader } from './chunks/chunk-reader.ts';
import { createChunkWriter } from './chunks/chunk-writer.ts';
import { listChunks } from './chunks/list-chunks.ts';
import { generateIdentity } from './keys/recipient.ts';
import { generateDataKey, SCRYPT_COST, wrapWithPassphrase } from './keys/wrapped-key.ts';
import { type ArchiveSecrets, openArchive } from './open-archive.ts';
import { createTestArchive, createTestFolder, type TestFolder } from './testing/archives.ts';

const ANN = generateIdentity();
const BOB = generateIdentity();
const PLAIN = Buffer.from('content of a database');

let place: TestFolder;

beforeEach(async () => {
  place = await createTestFolder();
});
afterEach(() => place.close());

const archiveFile = () => join(place.folder, 'archive.json');

/** Changes a file of the archive. */
async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8');
  expect(change(text)).not.toBe(text);
  await writeFile(path, change(text));
}

async function keyFile(): Promise<string> {
  const [name = ''] = await readdir(join(place.folder, 'keys'));
  return join(place.folder, 'keys', name);
}

it.each([
  ['nothing', {}, 'a new archive needs its encryption: choose a passphrase (--passphrase-file or '],
  ['a passphrase and a recipient', { passphrase: 'x', recipient: ANN.recipient }, 'one kind of encryption'],
  ['a passphrase and no encryption', { passphrase: 'x', noEncryption: true }, 'one kind of encryption'],
  ['an empty passphrase', { passphrase: '' }, 'the passphrase is empty'],
  ['a passphrase that is only a byte order mark', { passphrase: '\u{FEFF}' }, 'the passphrase is empty'],
  ['a mistyped recipient', { recipient: `${ANN.recipient}x` }, 'incomplete or mistyped'],
  [
    'an identity of another recipient',
    { recipient: ANN.recipient, identity: BOB.identity },
    'does not belong',
  ],
] satisfies [string, ArchiveSecrets, string][])('is not created with %s', async (_name, secrets, message) => {
  await expect(createTestArchive(place.store, secrets)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(message),
  });
  expect(await readdir(place.folder)).toEqual([]);
});

describe.each([
  ['a passphrase', { passphrase: 'Schlüssel 1' }, { passphrase: 'Schlüssel 1' }],
  ['a recipient', { recipient: ANN.recipient }, { identity: ANN.identity }],
  ['no encryption', { noEncryption: true }, { noEncryption: true }],
] satisfies [string, ArchiveSecrets, ArchiveSecrets][])('with %s', (name, writing, reading) => {
  it('reads all blobs of several writers after it was opened again', async () => {
    for (const blob of ['a/1', 'a/2'])
      await (await createTestArchive(place.store, writing)).putBlob(blob, PLAIN);
    const archive = await openArchive(place.store, { secrets: reading });
    for (const blob of ['a/1', 'a/2']) expect(await archive.getBlob(blob)).toEqual(PLAIN);
  });

  it('gives equal content equal ids, and different content different ones', async () => {
    const [left, right] = [
      await createTestArchive(place.store, writing),
      await openArchive(place.store, { secrets: reading }),
    ];
    expect(left.chunkIdOf(PLAIN)).toMatch(/^[0-9a-f]{64}$/);
    expect(left.chunkIdOf(PLAIN)).toBe(right.chunkIdOf(PLAIN));
    expect(left.chunkIdOf(PLAIN)).not.toBe(left.chunkIdOf(PLAIN.subarray(1)));
  });

  it('contains content in clear only without encryption', async () => {
    const archive = await createTestArchive(place.store, writing);
    const noise = randomBytes(64);
    await archive.putBlob('a/1', noise);
    const stored = await readFile(join(place.folder, 'a/1'));
    expect(stored.includes(noise)).toBe(name === 'no encryption');
  });

  it('names a changed blob and its place', async () => {
    const archive = await createTestArchive(place.store, writing);
    await archive.putBlob('a/1', PLAIN);
    const bytes = await readFile(join(place.folder, 'a/1'));
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    await writeFile(join(place.folder, 'a/1'), bytes);
    await expect(archive.getBlob('a/1')).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringMatching(/^a\/1 is damaged: its bytes were changed.* \(folder /),
    });
  });

  it('is one archive if two processes create it at the same time', async () => {
    const archives = await Promise.all([1, 2, 3].map(() => createTestArchive(place.store, writing)));
    expect(new Set(archives.map(({ description }) => description.id)).size).toBe(1);
    await archives[0]?.putBlob('a/1', PLAIN);
    const archive = await openArchive(place.store, { secrets: reading });
    expect(await archive.getBlob('a/1')).toEqual(PLAIN);
  });

  it('is not replaced by a new one after its description was lost', async () => {
    await (await createTestArchive(place.store, writing)).putBlob('backups/x.json', PLAIN);
    await rm(archiveFile());
    await expect(createTestArchive(place.store, writing)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('archive.json is missing in folder'),
    });
  });
});

it.each([
  [{ passphrase: 'a' }, { passphrase: 'b' }, 'wrongKey', 'the passphrase does not fit this archive'],
  [{ passphrase: 'a' }, { passphrase: '' }, 'wrongKey', 'the passphrase does not fit this archive'],
  [{ passphrase: 'a' }, {}, 'refused', 'is encrypted with a passphrase: give it with --passphrase-file'],
  [{ passphrase: 'a' }, { noEncryption: true }, 'refused', 'is encrypted, although no encryption is set'],
  [{ passphrase: 'a' }, { recipient: ANN.recipient }, 'refused', 'is encrypted with a passphrase'],
  [{ recipient: ANN.recipient }, { passphrase: 'a' }, 'refused', `is encrypted for ${ANN.recipient}`],
  [{ recipient: ANN.recipient }, {}, 'refused', 'give its identity with --identity-file'],
  [{ recipient: ANN.recipient }, { identity: BOB.identity }, 'wrongKey', `not for ${BOB.recipient}`],
  [{ recipient: ANN.recipient }, { recipient: BOB.recipient }, 'wrongKey', `not for ${BOB.recipient}`],
  [{ noEncryption: true }, {}, 'refused', 'use --no-encryption or set GREENROOM_BACKUP_NO_ENCRYPTION=true'],
  [{ noEncryption: true }, { noEncryption: false }, 'refused', 'so everyone who can write there can have'],
  [{ noEncryption: true }, { passphrase: 'a' }, 'refused', 'is not encrypted, although a passphrase'],
  [{ noEncryption: true }, { identity: ANN.identity }, 'refused', 'is not encrypted, although a passphrase'],
] satisfies [ArchiveSecrets, ArchiveSecrets, string, string][])(
  'created with %j, does not open with %j',
  async (writing, secrets, kind, message) => {
    await createTestArchive(place.store, writing);
    await expect(openArchive(place.store, { secrets })).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(message),
    });
  },
);

it('a recipient reads only the blobs of its own process', async () => {
  const first = await createTestArchive(place.store, { recipient: ANN.recipient });
  await first.putBlob('a/1', PLAIN);
  expect(await first.getBlob('a/1')).toEqual(PLAIN);
  const second = await createTestArchive(place.store, { recipient: ANN.recipient });
  await expect(second.getBlob('a/1')).rejects.toMatchObject({
    kind: 'wrongKey',
    message: expect.stringMatching(/^a\/1 cannot be read: .*--identity-file/),
  });
});

it('names of chunks depend on the secret of the instance in an archive for a recipient', async () => {
  const secrets = { recipient: ANN.recipient };
  const ids = await Promise.all(
    [undefined, Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map(async (chunkSecret) => {
      const archive = await createTestArchive(place.store, secrets, { chunkSecret });
      return archive.chunkIdOf(PLAIN);
    }),
  );
  expect(new Set(ids).size).toBe(3);
});

it('chunks that were named by the secret of an instance are read without it', async () => {
  const writing = await createTestArchive(place.store, ANN, { chunkSecret: Buffer.alloc(32, 1) });
  const writer = createChunkWriter(writing, await listChunks(place.store));
  const id = await writer.write(PLAIN);
  await writer.finish();
  const archive = await openArchive(place.store, { secrets: { identity: ANN.identity } });
  expect(await createChunkReader(archive).read(id)).toEqual(PLAIN);
});

it('opens with a passphrase in another encoding of the same characters', async () => {
  await createTestArchive(place.store, { passphrase: 'Schl\u00fcssel' });
  const archive = await openArchive(place.store, { secrets: { passphrase: 'Schlu\u0308ssel' } });
  expect(archive.description.encryption.kind).toBe('passphrase');
});

it.each([
  ['with', 'without', '\u{FEFF}a', 'a'],
  ['without', 'with', 'a', '\u{FEFF}a'],
])(
  'an archive whose passphrase was read %s a byte order mark opens %s one',
  async (_created, _opened, created, opened) => {
    await createTestArchive(place.store, { passphrase: created });
    expect((await openArchive(place.store, { secrets: { passphrase: opened } })).canRead).toBe(true);
  },
);

it.each(['\u{FEFF}a', 'a'])(
  'an archive of an earlier version, whose passphrase has the mark, opens with %j',
  async (passphrase) => {
    const { description } = await createTestArchive(place.store, { passphrase: 'a' });
    const { keyId } = description.encryption as { keyId: string };
    const key = { ...generateDataKey(), id: Buffer.from(keyId, 'hex') };
    await writeFile(await keyFile(), await wrapWithPassphrase(key, description.id, '\u{FEFF}a', 2));
    expect((await openArchive(place.store, { secrets: { passphrase } })).canRead).toBe(true);
    await expect(openArchive(place.store, { secrets: { passphrase: 'b' } })).rejects.toMatchObject({
      kind: 'wrongKey',
    });
  },
);

it('the cost of scrypt is that of the documents', async () => {
  await createTestArchive(place.store, { passphrase: 'a' }, { scryptCost: SCRYPT_COST });
  expect(JSON.parse(await readFile(await keyFile(), 'utf8'))).toMatchObject({
    cost: 131_072,
    block: 8,
    parallel: 1,
  });
  await expect(openArchive(place.store, { secrets: { passphrase: 'b' } })).rejects.toMatchObject({
    kind: 'wrongKey',
  });
});

it('names a damaged key file instead of a wrong passphrase', async () => {
  await createTestArchive(place.store, { passphrase: 'a' });
  await edit(await keyFile(), (text) => text.replace(/"salt":"../, '"salt":"AA'));
  const opened = openArchive(place.store, { secrets: { passphrase: 'a' } });
  await expect(opened).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringMatching(/^keys\/[0-9a-f]{32}\.json is damaged: its checksum is wrong/),
  });
});

it('names a key file that is missing', async () => {
  await createTestArchive(place.store, { passphrase: 'a' });
  await rm(await keyFile());
  await expect(openArchive(place.store, { secrets: { passphrase: 'a' } })).rejects.toMatchObject({
    kind: 'missing',
    message: expect.stringMatching(/^keys\/[0-9a-f]{32}\.json is missing in folder/),
  });
});

it('names a place without an archive', async () => {
  await expect(openArchive(place.store, { secrets: {} })).rejects.toMatchObject({
    kind: 'missing',
    message: `folder ${place.folder} contains no archive of Greenroom`,
  });
});

it.each([
  [
    'a changed value',
    (text: string) => text.replace(/"id":"(.)/, (_, first) => `"id":"${first === '0' ? '1' : '0'}`),
    'its checksum is wrong',
  ],
  ['half of the file', (text: string) => text.slice(0, 50), 'it is not JSON'],
  ['a list', () => '[]', 'it is not a JSON object'],
  ['no fields', () => '{}', 'its field format is invalid'],
])('refuses a description with %s', async (_name, change, message) => {
  await createTestArchive(place.store);
  await edit(archiveFile(), change);
  await expect(openArchive(place.store, { secrets: {} })).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringContaining(message),
  });
});

it('names the version that an archive of a newer format needs', async () => {
  await createTestArchive(place.store, undefined, { greenroomVersion: '7.1.0' });
  await edit(archiveFile(), (text) => text.replace('"format":1', '"format":2'));
  await expect(openArchive(place.store, { secrets: {} })).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(
      'has format 2, and this version of Greenroom reads formats up to 1: use Greenroom 7.1.0 or newer',
    ),
  });
});
