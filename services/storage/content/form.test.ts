/** Tests how much of a form is parsed. receive.test.ts tests the interpretation of forms. */
import { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readForm } from './form.ts';

const HEADERS = { 'content-type': 'multipart/form-data; boundary=b' };
const FIELD = '--b\r\ncontent-disposition: form-data; name="f"\r\n\r\nx\r\n';
const NAMELESS = '--b\r\n\r\nx\r\n';
const fileOf = (content: string) =>
  `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${content}\r\n`;
const MANY = 50_000;

/** Number of bytes that the parser received. */
let parsed: number;
beforeEach(() => {
  parsed = 0;
  const { write } = Busboy.prototype;
  vi.spyOn(Busboy.prototype, 'write').mockImplementation(function (this: BusboyInstance, ...all: unknown[]) {
    parsed += (all[0] as Buffer).length;
    return Reflect.apply(write, this, all) as boolean;
  });
});
afterEach(() => vi.restoreAllMocks());

/** The body is sent in one piece. */
const read = (...parts: string[]) => readForm(HEADERS, Readable.from([Buffer.from(parts.join(''))]));

it.each([
  ['fields', FIELD],
  ['parts without a name', NAMELESS],
])('stops parsing a form with too many %s', async (_name, part) => {
  await expect(read(part.repeat(MANY), '--b--\r\n')).rejects.toMatchObject({ code: 'InvalidRequest' });
  expect(parsed).toBeLessThan(16 * 1024);
});

it.each([
  ['fields', FIELD],
  ['parts without a name', NAMELESS],
  ['files', fileOf('y')],
])('stops parsing a form with too many %s after the file', async (_name, part) => {
  const { file } = await read(FIELD, fileOf('content'), part.repeat(MANY), '--b--\r\n');
  expect(Buffer.concat(await file.toArray()).toString()).toBe('content');
  expect(parsed).toBeLessThan(16 * 1024);
});

it('rejects a body that closed before it was read', async () => {
  const body = new Readable({ read: () => undefined });
  body.push(FIELD);
  body.destroy();
  await new Promise((resolve) => body.once('close', resolve));
  await expect(readForm(HEADERS, body)).rejects.toThrow('the client disconnected');
});

it('reads a file with lines like delimiters in it', async () => {
  const content = '\r\n--\r\n-- comment\r\n--a\r\n'.repeat(5000);
  const { file, fields } = await read(FIELD, fileOf(content), '--b--\r\n');
  expect(Buffer.concat(await file.toArray()).toString()).toBe(content);
  expect([...fields]).toEqual([['f', 'x']]);
});
