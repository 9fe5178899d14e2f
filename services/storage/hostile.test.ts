/** Tests hostile and failing clients: each gets a clear error or the complete content, and leaves nothing behind. */

import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDiskStore } from './store/disk.ts';
import { CAN_MOUNT, mountSmallDisk } from './testing/small-disk.ts';
import { StorageServer } from './testing/storage-server.ts';

const MEBIBYTE = 1024 * 1024;
const POLL = { timeout: 20_000 };
const NO_ID = '5d4ffd0b-4ba9-4f05-9b0c-3a6e9e6f5b6f';

let server: StorageServer;
beforeAll(async () => {
  server = await StorageServer.open();
  await server.request('POST /bucket', { body: { name: 'b', public: true } });
  await server.request('POST /object/b/there.txt', { body: 'there' });
});
afterAll(() => server.close());

const ODD_VALUES: unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  2 ** 53,
  '',
  '\u0000',
  'x'.repeat(100_000),
  '\ud800',
  '%',
  '1; drop table',
  [],
  [null],
  [[]],
  ['', '\u0000'],
  {},
  { a: { b: [] } },
  { toString: 1 },
];

/** Routes with a JSON body, and a valid body for each. */
const BODIES: readonly [target: string, body: Record<string, unknown>][] = [
  [
    'POST /bucket',
    { name: 'b', id: 'b', public: true, type: 'STANDARD', file_size_limit: 1, allowed_mime_types: ['a/b'] },
  ],
  ['PUT /bucket/b', { public: true, file_size_limit: null, allowed_mime_types: null }],
  [
    'POST /object/list/b',
    { prefix: '', limit: 1, offset: 0, search: '', sortBy: { column: 'name', order: 'asc' } },
  ],
  [
    'POST /object/list-v2/b',
    { prefix: '', limit: 1, cursor: 'x', with_delimiter: true, sortBy: { column: 'name', order: 'asc' } },
  ],
  ['POST /object/sign/b', { paths: ['there.txt'], expiresIn: 1 }],
  ['POST /object/sign/b/there.txt', { expiresIn: 1, transform: { width: 1, height: 1, resize: 'cover' } }],
  ['POST /object/upload/sign/b/new.txt', {}],
  ['DELETE /object/b', { prefixes: ['not there.txt'] }],
  ['POST /object/move', { bucketId: 'b', sourceKey: 'x', destinationKey: 'y', destinationBucket: 'b' }],
  [
    'POST /object/copy',
    {
      bucketId: 'b',
      sourceKey: 'x',
      destinationKey: 'y',
      destinationBucket: 'b',
      copyMetadata: true,
      metadata: { cacheControl: 'x', mimetype: 'a/b' },
    },
  ],
];

/** Yields the body with an invalid value in each position. */
function* withOddValues(body: Record<string, unknown>): Generator<Record<string, unknown>> {
  for (const [name, value] of Object.entries(body)) {
    for (const odd of ODD_VALUES) yield { ...body, [name]: odd };
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const inner of withOddValues(value as Record<string, unknown>)) yield { ...body, [name]: inner };
  }
}

describe('values of another type', () => {
  it.each(BODIES)(
    'are accepted or rejected without an error of the server in the body of %s',
    async (target, body) => {
      const bodies = [...withOddValues(body), ...ODD_VALUES];
      for (const odd of bodies) {
        const response = await server.request(target, {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(odd),
        });
        expect(
          response.status,
          `${JSON.stringify(odd).slice(0, 200)}: ${response.text.slice(0, 300)}`,
        ).toBeLessThan(500);
        if (response.status >= 400)
          expect(response.json).toEqual({
            statusCode: expect.stringMatching(/^4/),
            error: expect.any(String),
            message: expect.any(String),
            code: expect.any(String),
          });
      }
      await server.request('PUT /bucket/b', {
        body: { public: true, file_size_limit: null, allowed_mime_types: null },
      });
    },
  );

  const QUERIES = [
    'limit',
    'offset',
    'sortColumn',
    'sortOrder',
    'search',
    'token',
    'download',
    'width',
    'quality',
  ];
  const PATHS = [
    'GET /bucket',
    'GET /object/public/b/there.txt',
    'GET /object/sign/b/there.txt',
    'PUT /object/upload/sign/b/x',
    'GET /render/image/public/b/there.txt',
    'DELETE /cdn/b/there.txt',
  ];
  it.each(PATHS)(
    'are accepted or rejected without an error of the server in the query of %s',
    async (target) => {
      for (const name of QUERIES) {
        for (const value of [
          '',
          'x',
          '-1',
          '1e400',
          '%00',
          '%F0%9F%98%80',
          '%0d%0a',
          `1&${name}=2`,
          'é'.repeat(300),
        ]) {
          const response = await server.request(`${target}?${name}=${value}`);
          expect(response.status, `${name}=${value}: ${response.text}`).toBeLessThan(500);
        }
      }
    },
  );
});

describe('names', () => {
  const characters = [
    ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)),
    ...[
      'é',
      'e\u0301',
      'Ａ',
      'ﬁ',
      '\u202e',
      '\u200b',
      '\ufeff',
      '\ufffd',
      '😀',
      'İ',
      'ß',
      '..',
      '../..',
      './',
      '//',
      '\\',
    ],
  ];
  const METHODS = [
    'POST /object/b/',
    'GET /object/b/',
    'HEAD /object/b/',
    'DELETE /object/b/',
    'GET /object/info/b/',
  ];

  it('with any characters are accepted unchanged or rejected', async () => {
    for (const character of characters) {
      const key = `n${character}m`;
      const path = encodeURIComponent(key);
      const up = await server.request(`POST /object/b/${path}`, {
        headers: { 'x-upsert': 'true' },
        body: key,
      });
      expect([200, 400], `${path}: ${up.text}`).toContain(up.status);
      if (up.status === 200) {
        expect(up.json).toMatchObject({ Key: `b/${key}` });
        expect((await server.request(`GET /object/b/${path}`)).text).toBe(key);
      } else expect(up.json).toMatchObject({ code: 'InvalidKey' });
      for (const method of METHODS.slice(1)) {
        const response = await server.request(method + path);
        expect(response.status, `${method}${path}: ${response.text}`).toBeLessThan(500);
      }
    }
  });

  it('of buckets with any characters are accepted unchanged or rejected', async () => {
    for (const character of characters) {
      const name = `n${character}m`;
      const created = await server.request('POST /bucket', { body: { name } });
      expect([200, 400], `${name}: ${created.text}`).toContain(created.status);
      const path = encodeURIComponent(name);
      for (const target of ['GET /bucket/', 'POST /object/list/', 'DELETE /bucket/']) {
        const body = target.startsWith('POST') ? { prefix: '' } : undefined;
        const response = await server.request(target + path, { ...(body && { body }) });
        expect(response.status, `${target}${path}: ${response.text}`).toBeLessThan(500);
      }
    }
  });

  it('of great length are rejected', async () => {
    for (const length of [1024, 1025, 3000, 8000]) {
      for (const method of METHODS) {
        const response = await server.request(
          method + 'k'.repeat(length),
          method.startsWith('POST') ? { body: 'x' } : {},
        );
        expect(response.status, `${method} of ${length}: ${response.text}`).toBeLessThan(500);
      }
    }
  });
});

/**
 * Sends raw text. Returns the response until the server closes the connection, or until it contains `until`; the socket is
 * then paused with the rest of the response.
 */
async function raw(text: string | Buffer, until = '\u0000'): Promise<{ socket: Socket; response: string }> {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(text);
  let response = '';
  await new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      response += chunk.toString('latin1');
      if (!response.includes(until)) return;
      // Searching all of a large response again with each chunk would take seconds on a busy machine.
      socket.pause().off('data', read);
      resolve();
    };
    socket.on('data', read).once('close', resolve);
  });
  return { socket, response };
}

const head = (path: string, ...lines: string[]) =>
  [
    `PUT /storage/v1/object/b/${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${server.apiKeys.serviceRole}`,
    ...lines,
    '',
    '',
  ].join('\r\n');

/** Names of files that this process has open. */
async function openFiles(): Promise<number> {
  return (await readdir('/proc/self/fd')).length;
}

describe('bodies with wrong declarations', () => {
  it.each([
    ['an invalid chunk size', 'transfer-encoding: chunked', 'zz\r\nabc\r\n'],
    ['a chunk longer than declared', 'transfer-encoding: chunked', '3\r\nabcdef\r\n0\r\n\r\n'],
    ['two lengths', 'content-length: 3\r\ncontent-length: 5', 'abcde'],
    ['a length and chunks', 'content-length: 3\r\ntransfer-encoding: chunked', '0\r\n\r\n'],
    ['an invalid length', 'content-length: x', 'abc'],
    ['a negative length', 'content-length: -3', 'abc'],
    ['an enormous length', 'content-length: 99999999999999999999', 'abc'],
    ['headers that are too large', `x: ${'y'.repeat(200_000)}`, ''],
  ])('are rejected if they have %s', async (_, line, body) => {
    const { response } = await raw(head('lie.txt', line, 'connection: close') + body);
    expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await server.request('GET /object/b/lie.txt')).status).toBe(400);
  });

  it.each([
    [
      'in the middle of a chunk',
      'transfer-encoding: chunked',
      `${(3 * MEBIBYTE).toString(16)}\r\n${'x'.repeat(2 * MEBIBYTE)}`,
    ],
    ['between two chunks', 'transfer-encoding: chunked', '3\r\nabc\r\n'],
    ['before the declared length', `content-length: ${3 * MEBIBYTE}`, 'x'.repeat(2 * MEBIBYTE)],
    ['before their first byte', 'content-length: 5', ''],
  ])('that are truncated %s leave no content behind', async (_, line, body) => {
    const before = await server.contents();
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await new Promise((resolve) => socket.write(head('cut.txt', line) + body, resolve));
    socket.resetAndDestroy();
    await expect.poll(() => server.contents(), POLL).toEqual(before);
    expect((await server.request('GET /object/b/cut.txt')).status).toBe(400);
  });
});

describe('readers', () => {
  const get = (path: string) => `GET /storage/v1/object/public/b/${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

  it.skipIf(process.platform !== 'linux')('that disconnect leave no file open', async () => {
    await server.request('PUT /object/b/large.bin', { body: Buffer.alloc(20 * MEBIBYTE) });
    await server.request('GET /object/b/there.txt');
    const before = await openFiles();
    for (let i = 0; i < 20; i += 1) {
      const { socket } = await raw(get('large.bin'), 'HTTP/1.1 200');
      socket.resetAndDestroy();
    }
    await expect.poll(openFiles, POLL).toBeLessThanOrEqual(before);
  });

  it('that are slow receive the content as of their start', async () => {
    await server.request('PUT /object/b/slow.bin', { body: Buffer.alloc(20 * MEBIBYTE) });
    const { socket, response } = await raw(get('slow.bin'), '\r\n\r\n');
    expect(socket.isPaused()).toBe(true);
    let received = response.length;
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    try {
      expect((await server.request('PUT /object/b/slow.bin', { body: 'other' })).status).toBe(200);
      await server.contents();
      socket.resume();
      await expect.poll(() => received, POLL).toBeGreaterThan(20 * MEBIBYTE);
    } finally {
      socket.destroy();
    }
  });
});

describe('concurrent requests', () => {
  it('give each reader one complete content while it is overwritten', async () => {
    const sizes = [10, 300_000, 2 * MEBIBYTE];
    const letter = (i: number) => 'abcdefghij'[i % 10] ?? '';
    await server.request('PUT /object/b/same.bin', { body: 'a' });
    const writers = Array.from({ length: 3 }, async (_, writer) => {
      for (let i = 0; i < 6; i += 1) {
        const body = letter(i + writer).repeat(sizes[(i + writer) % 3] ?? 0);
        expect((await server.request('PUT /object/b/same.bin', { body })).status).toBe(200);
      }
    });
    const readers = Array.from({ length: 3 }, async () => {
      for (let i = 0; i < 12; i += 1) {
        const { status, text } = await server.request('GET /object/b/same.bin');
        expect(status, text.slice(0, 300)).toBe(200);
        expect(text === (text[0] ?? '').repeat(text.length), 'of one letter').toBe(true);
        expect([1, ...sizes]).toContain(text.length);
      }
    });
    await Promise.all([...writers, ...readers]);
  });

  it('leave a consistent state when a bucket is deleted during an upload', async () => {
    for (let round = 0; round < 5; round += 1) {
      await server.request('POST /bucket', { body: { name: 'brief' } });
      const uploads = Array.from({ length: 6 }, (_, i) =>
        server.request(`POST /object/brief/${i}`, { body: 'x'.repeat(1000) }),
      );
      const deletions = Array.from({ length: 3 }, () => server.request('DELETE /bucket/brief'));
      for (const response of await Promise.all([...uploads, ...deletions]))
        expect([200, 400], response.text).toContain(response.status);
      await server.request('POST /bucket/brief/empty');
      await server.request('DELETE /bucket/brief');
    }
    const rows = await server.rows<{ version: string }>('select version from storage.objects');
    expect(await server.contents()).toEqual(rows.map(({ version }) => version).toSorted());
  });
});

it('malformed tokens of any form are rejected', async () => {
  const tokens = ['', 'x', 'a.b.c', `${'x'.repeat(8000)}`, '..', 'e30.e30.', `Bearer ${NO_ID}`];
  for (const token of tokens) {
    for (const target of [
      'GET /bucket',
      'POST /object/b/x',
      'POST /upload/resumable',
      'GET /object/sign/b/x?token=',
    ]) {
      const response = await server.request(
        target.endsWith('=') ? target + encodeURIComponent(token) : target,
        {
          token,
        },
      );
      expect(response.status, `${target} ${token.slice(0, 20)}: ${response.text}`).toBeGreaterThanOrEqual(
        400,
      );
      expect(response.status).toBeLessThan(500);
    }
  }
});

describe('a disk', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-small-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const refusal = (message: string) => ({
    statusCode: '500',
    error: 'InternalError',
    message,
    code: 'InternalError',
  });

  // Skipped if the tests may not mount a disk.
  it.skipIf(!CAN_MOUNT)('that is full rejects uploads and stays usable', async () => {
    await using closing = new AsyncDisposableStack();
    closing.defer(mountSmallDisk(folder, 6));
    const store = await openDiskStore(folder);
    closing.defer(() => store.close());
    const small = await StorageServer.open({ store });
    closing.defer(() => small.close());
    await small.request('POST /bucket', { body: { name: 'b' } });
    await small.request('POST /object/b/kept.bin', { body: Buffer.alloc(MEBIBYTE) });
    const before = await small.contents();
    const form = new FormData();
    form.append('', new Blob([Buffer.alloc(9 * MEBIBYTE)]));
    for (const body of [Buffer.alloc(9 * MEBIBYTE), form]) {
      const response = await small.request('POST /object/b/large.bin', { body });
      expect(response).toMatchObject({
        status: 507,
        json: { statusCode: '507', code: 'InsufficientStorage' },
      });
      expect(await small.contents()).toEqual(before);
    }
    expect((await small.request('POST /object/b/small.bin', { body: Buffer.alloc(MEBIBYTE) })).status).toBe(
      200,
    );
    expect((await small.request('DELETE /object/b/kept.bin')).status).toBe(200);
  });

  it('whose folder is missing causes errors until it is restored', async () => {
    const [original, away] = [join(folder, 'here'), join(folder, 'away')];
    await using closing = new AsyncDisposableStack();
    const store = await openDiskStore(original);
    closing.defer(() => store.close());
    const moved = await StorageServer.open({ store });
    closing.defer(() => moved.close());
    await moved.request('POST /bucket', { body: { name: 'b' } });
    await moved.request('POST /object/b/kept.txt', { body: 'kept' });
    await rename(original, away);
    const up = await moved.request('POST /object/b/new.txt', { body: 'new' });
    expect([up.status, up.json]).toEqual([500, refusal('The folder of objects is not accessible')]);
    const down = await moved.request('GET /object/b/kept.txt');
    expect([down.status, down.json]).toMatchObject([400, { statusCode: '404' }]);
    await rename(away, original);
    expect((await moved.request('GET /object/b/kept.txt')).text).toBe('kept');
    expect((await moved.request('POST /object/b/new.txt', { body: 'new' })).status).toBe(200);
  });
});
