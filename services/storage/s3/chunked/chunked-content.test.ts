import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkReleaserOf, markRequestChunks } from '../../store/release-chunk.ts';
import { EXAMPLE_CHUNKED_BODIES, EXAMPLE_KEY, EXAMPLE_REQUESTS } from '../signature/examples.ts';
import { readSignature } from '../signature/sent-signature.ts';
import { CheckedContent } from './checked-content.ts';
import { declaredChecksums } from './checksum.ts';
import { ChunkSigner } from './chunk-signer.ts';
import { ChunkedContent, type ChunkedOptions, declaredTrailers } from './chunked-content.ts';

type Example = keyof typeof EXAMPLE_CHUNKED_BODIES;
const EXAMPLES = Object.keys(EXAMPLE_CHUNKED_BODIES) as Example[];
const CONTENT = 'a'.repeat(66_560);
const CRC32_OF_HELLO = 'x-amz-checksum-crc32:NhCmhg==\r\n';

function optionsOf(example: Example, secret = EXAMPLE_KEY.secretAccessKey): ChunkedOptions {
  const { headers } = EXAMPLE_REQUESTS[example];
  const signature = readSignature(headers, []);
  if (signature === undefined) throw new Error('it has no signature');
  const trailers = declaredTrailers(headers['x-amz-trailer']?.[0]);
  const hasTrailers = signature.payloadHash.endsWith('-TRAILER');
  return { signer: new ChunkSigner(secret, signature), hasTrailers, trailers, length: 66_560 };
}

async function read(chunks: readonly (string | Buffer)[], options: ChunkedOptions): Promise<string> {
  const content = new ChunkedContent(options);
  const [text] = await Promise.all([
    buffer(content).then((all) => all.toString('latin1')),
    pipeline(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), content),
  ]);
  return text;
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: { code?: string }) => error.code ?? String(error),
  );
}

describe.each(EXAMPLES)("AWS's example: %s", (example) => {
  const body = EXAMPLE_CHUNKED_BODIES[example];

  it('is decoded', async () => {
    expect(await read([body], optionsOf(example))).toBe(CONTENT);
  });

  it('is decoded in chunks of any size', async () => {
    const cuts = fc.array(fc.nat({ max: body.length }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(cuts, async (positions) => {
        const ends = [0, ...positions.toSorted((a, b) => a - b), body.length];
        const chunks = ends.slice(1).map((end, index) => body.slice(ends[index], end));
        expect(await read(chunks, optionsOf(example))).toBe(CONTENT);
      }),
      { numRuns: 10, examples: [[[5, 86, 87, 88, 89]], [[body.length - 1, body.length - 2]]] },
    );
  });

  it.each([
    ['another secret', body, 'wrong', 'SignatureDoesNotMatch'],
    ['changed content', body.replace('aaaa', 'aaab'), undefined, 'SignatureDoesNotMatch'],
    [
      'another signature',
      body.replace('=ad80', '=ad81').replace('=b474', '=b475'),
      undefined,
      'SignatureDoesNotMatch',
    ],
    ['a missing chunk', body.replace(/\r\n400;[\s\S]*?\r\n0;/, '\r\n0;'), undefined, 'SignatureDoesNotMatch'],
    ['a truncated end', body.slice(0, -100), undefined, 'IncompleteBody'],
    ['a missing last chunk', body.slice(0, body.indexOf('\r\n0;')), undefined, 'IncompleteBody'],
    ['missing signatures', body.replaceAll(/;chunk-signature=\w+/g, ''), undefined, 'IncompleteBody'],
  ])('is rejected with %s', async (_name, changed, secret, code) => {
    expect(changed === body && secret === undefined).toBe(false);
    expect(await codeOf(read([changed], optionsOf(example, secret)))).toBe(code);
  });
});

describe('trailers', () => {
  const example = 'PUT in chunks with a trailer';
  const body = EXAMPLE_CHUNKED_BODIES[example];
  it.each([
    ['another signature', body.replace('signature:d81f', 'signature:d81e'), 'SignatureDoesNotMatch'],
    ['a missing signature', body.replace(/x-amz-trailer-signature.*\r\n/, ''), 'SignatureDoesNotMatch'],
    ['another checksum', body.replace('sOO8', 'sOO9'), 'SignatureDoesNotMatch'],
    ['missing lines', body.replace(/x-amz-checksum[\s\S]*$/, '\r\n'), 'SignatureDoesNotMatch'],
  ])('with %s are rejected', async (_name, changed, code) => {
    expect(changed).not.toBe(body);
    expect(await codeOf(read([changed], optionsOf(example)))).toBe(code);
  });
});

describe('a body without signatures', () => {
  const options = { signer: undefined, hasTrailers: true, trailers: ['x-amz-checksum-crc32'], length: 5 };
  it.each<[string, string, string, Partial<ChunkedOptions>]>([
    ['in one chunk', `5\r\nhello\r\n0\r\n${CRC32_OF_HELLO}\r\n`, 'none', {}],
    ['in two chunks', `2\r\nhe\r\n3\r\nllo\r\n0\r\n${CRC32_OF_HELLO}\r\n`, 'none', {}],
    ['without its last line', `5\r\nhello\r\n0\r\n${CRC32_OF_HELLO}`, 'none', {}],
    ['with LF after a trailer', `5\r\nhello\r\n0\r\n${CRC32_OF_HELLO.replace('\r', '')}\r\n`, 'none', {}],
    ['empty', '0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n', 'none', { length: 0 }],
    ['of unknown length', `5\r\nhello\r\n0\r\n${CRC32_OF_HELLO}\r\n`, 'none', { length: undefined }],
    [
      'with a wrong checksum',
      '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n',
      'InvalidChecksum',
      {},
    ],
    ['without a checksum', '5\r\nhello\r\n0\r\n\r\n', 'IncompleteBody', {}],
    [
      'with undeclared trailers',
      `5\r\nhello\r\n0\r\n${CRC32_OF_HELLO}\r\n`,
      'IncompleteBody',
      { hasTrailers: false, trailers: [] },
    ],
    ['longer than declared', '6\r\nhello!\r\n0\r\n\r\n', 'IncompleteBody', {}],
    ['shorter than declared', `4\r\nhell\r\n0\r\n${CRC32_OF_HELLO}\r\n`, 'IncompleteBody', {}],
    ['that is truncated', '5\r\nhel', 'IncompleteBody', {}],
    ['of no bytes', '', 'IncompleteBody', {}],
    ['with a chunk longer than its size', '4\r\nhello\r\n0\r\n\r\n', 'IncompleteBody', {}],
    ['with an invalid size', 'five\r\nhello\r\n', 'IncompleteBody', {}],
    ['with a negative size', '-5\r\nhello\r\n', 'IncompleteBody', {}],
    [
      'with a size that is too long',
      `${'f'.repeat(20)}\r\nhello\r\n`,
      'IncompleteBody',
      { length: undefined },
    ],
    ['with a line that is too long', 'a'.repeat(2000), 'IncompleteBody', {}],
    ['with LF only', '5\nhello\n0\n\n', 'IncompleteBody', {}],
    ['with a trailer without a name', '5\r\nhello\r\n0\r\n:x\r\n\r\n', 'IncompleteBody', {}],
    [
      'with too many trailers',
      `5\r\nhello\r\n0\r\n${Array.from({ length: 20 }, (_, i) => `t${i}:1\r\n`).join('')}\r\n`,
      'IncompleteBody',
      {},
    ],
    ['with bytes after its end', `5\r\nhello\r\n0\r\n${CRC32_OF_HELLO}\r\nmore\r\n`, 'IncompleteBody', {}],
  ])('%s has the result: $2', async (_name, body, code, more) => {
    expect(await codeOf(read([body], { ...options, ...more }))).toBe(code);
  });

  it('of any content is decoded unchanged', async () => {
    const chunkLists = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(chunkLists, fc.integer({ min: 1, max: 50 }), async (chunks, step) => {
        const body = Buffer.concat([
          ...chunks.flatMap((chunk) => [
            Buffer.from(`${chunk.length.toString(16)}\r\n`),
            chunk,
            Buffer.from('\r\n'),
          ]),
          Buffer.from('0\r\n\r\n'),
        ]);
        const cut = Array.from({ length: Math.ceil(body.length / step) }, (_, index) =>
          body.subarray(index * step, (index + 1) * step),
        );
        const plain = { signer: undefined, hasTrailers: false, trailers: [], length: undefined };
        expect(await read(cut, plain)).toBe(Buffer.concat(chunks).toString('latin1'));
      }),
      { numRuns: 20 },
    );
  });
});

it('parses the names of trailers from one header', () => {
  expect(declaredTrailers(undefined)).toEqual([]);
  expect(declaredTrailers('x-amz-checksum-CRC32, x-amz-checksum-sha1,')).toEqual([
    'x-amz-checksum-crc32',
    'x-amz-checksum-sha1',
  ]);
  expect(() => declaredTrailers('a,'.repeat(50))).toThrow('Too many trailers');
});

describe('content that is not chunked', () => {
  it.each([
    ['hello', 'none'],
    ['hallo', 'InvalidChecksum'],
  ])('%s has the result: %s', async (text, code) => {
    const content = new CheckedContent(
      declaredChecksums({ 'content-md5': ['XUFAKrxLKna5cZ2REBfFkg=='] }, ''),
    );
    const work = Promise.all([buffer(content), pipeline(Readable.from([Buffer.from(text)]), content)]);
    expect(await codeOf(work)).toBe(code);
  });
});

describe('the memory of a request chunk', () => {
  const DATA = Buffer.from(`5\r\nhello\r\n6\r\n world\r\n1\r\n!\r\n0\r\n${CRC32_OF_HELLO}\r\n`);
  const options = { signer: undefined, hasTrailers: false, trailers: [], length: undefined };

  async function pushedFrom(data: Buffer): Promise<{ content: ChunkedContent; pushed: Buffer[] }> {
    const content = markRequestChunks(new ChunkedContent(options));
    const pushed: Buffer[] = [];
    content.on('data', (chunk: Buffer) => pushed.push(chunk)).on('error', () => undefined);
    await new Promise((resolve) => content.write(data, resolve));
    return { content, pushed };
  }

  it('holds the content of all its chunks as one slice, and is freed with it', async () => {
    const own = Buffer.allocUnsafeSlow(DATA.length - CRC32_OF_HELLO.length - 2);
    DATA.copy(own);
    const { content, pushed } = await pushedFrom(own);
    expect(pushed.map(String)).toEqual(['hello world!']);
    const [slice] = pushed as [Buffer];
    expect(slice.buffer).toBe(own.buffer);
    chunkReleaserOf(content)(slice);
    expect(own.buffer.byteLength).toBe(0);
  });

  it('is not freed if it is shared with other data', async () => {
    const shared = Buffer.allocUnsafeSlow(100);
    const part = shared.subarray(0, 10);
    DATA.copy(part);
    const { content, pushed } = await pushedFrom(part);
    expect(pushed.map(String)).toEqual(['hello']);
    for (const slice of pushed) chunkReleaserOf(content)(slice);
    expect(shared.buffer.byteLength).toBe(100);
  });
});
