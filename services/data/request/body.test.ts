import { CatalogueError } from '@greenroom/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBodyQueue, MAX_BODY_BYTES, MAX_FORM_BYTES, parseBody, readBody } from './body.ts';
import { MAX_KEY_BYTES, MAX_NAMES, MAX_ROWS, STEP_BYTES } from './body-limits.ts';
import type { Action } from './method.ts';
import { runAtOnce } from './slices.ts';

const INSERT: Action = { kind: 'insert', relation: 't' };
const UPDATE: Action = { kind: 'update', relation: 't' };
const PUT: Action = { kind: 'put', relation: 't' };
const DELETE: Action = { kind: 'delete', relation: 't' };
const READ: Action = { kind: 'read', relation: 't', isHead: false };
const CALL: Action = { kind: 'call', function: 'f', method: 'POST', isHead: false };
const CALL_BY_GET: Action = { kind: 'call', function: 'f', method: 'GET', isHead: false };

const JSON_TYPE = 'application/json';
const CSV = 'text/csv';
const FORM = 'application/x-www-form-urlencoded';

const parse = (action: Action, contentType: string | undefined, text: string | Buffer, columns?: string[]) =>
  runAtOnce(parseBody({ action, contentType, bytes: Buffer.from(text), columns }));

/** The body with its JSON as text. */
function parsedBody(...args: Parameters<typeof parse>) {
  const body = parse(...args);
  return body?.kind === 'json' ? { ...body, json: body.json.toString() } : body;
}

const rows = (json: string, columns: string[], rowCount: number) => ({
  kind: 'json',
  json,
  isArray: json.trim().startsWith('['),
  rowCount,
  columns,
});

describe('rows', () => {
  it.each([
    [INSERT, undefined, '{"a":1}', undefined, rows('{"a":1}', ['a'], 1)],
    [INSERT, JSON_TYPE, ' [{"a":1e400,"b":2}] ', undefined, rows(' [{"a":1e400,"b":2}] ', ['a', 'b'], 1)],
    [INSERT, 'application/json; charset=utf-8', '[{},{}]', undefined, rows('[{},{}]', [], 2)],
    [INSERT, 'application/vnd.pgrst.array+json', '[{"a":1}]', undefined, rows('[{"a":1}]', ['a'], 1)],
    [INSERT, JSON_TYPE, '[]', undefined, rows('[]', [], 0)],
    [INSERT, JSON_TYPE, '5', undefined, rows('[]', [], 0)],
    [INSERT, JSON_TYPE, 'null', ['a'], rows('[]', ['a'], 0)],
    [INSERT, JSON_TYPE, '[{"a":1},{"b":2}]', ['a', 'b'], rows('[{"a":1},{"b":2}]', ['a', 'b'], 2)],
    [UPDATE, JSON_TYPE, '{"a":1,"b":2}', ['a'], rows('{"a":1,"b":2}', ['a'], 1)],
    [PUT, JSON_TYPE, '{"a":1,"b":2}', ['a'], rows('{"a":1,"b":2}', ['a', 'b'], 1)],
    [INSERT, CSV, 'a,b\n1,NULL', undefined, rows('[{"a":"1","b":null}]', ['a', 'b'], 1)],
    [INSERT, CSV, 'a,b\n1,NULL', ['a'], rows('[{"a":"1","b":null}]', ['a'], 1)],
    [INSERT, CSV, 'a,b', undefined, rows('[]', ['a', 'b'], 0)],
    [INSERT, FORM, 'a=1&b=x+y&a=2', undefined, rows('{"a":"2","b":"x y"}', ['a', 'b'], 1)],
  ] as const)('of %j as %s are parsed from %j with columns %j', (action, type, text, columns, body) => {
    expect(parsedBody(action, type, text, columns && [...columns])).toEqual(body);
  });

  it('are the received bytes', () => {
    const bytes = Buffer.from('{"a":12345678901234567890}');
    const body = runAtOnce(parseBody({ action: INSERT, contentType: undefined, bytes, columns: undefined }));
    expect(body?.kind === 'json' && body.json).toBe(bytes);
  });

  it.each([
    ['an empty body', INSERT, JSON_TYPE, '', 400],
    ['a blank body', INSERT, JSON_TYPE, ' ', 400],
    ['invalid JSON', INSERT, JSON_TYPE, '{a:1}', 400],
    ['invalid JSON with columns', INSERT, JSON_TYPE, '[{"a":1}', 400],
    ['JSON that is not UTF-8', INSERT, JSON_TYPE, Buffer.from([0x22, 0xff, 0x22]), 400],
    ['objects with different keys', INSERT, JSON_TYPE, '[{"a":1},{"b":1}]', 400],
    ['a list without objects', INSERT, JSON_TYPE, '[1]', 400],
    ['a list of an object and null', UPDATE, JSON_TYPE, '[{"a":1},null]', 400],
    ['JSON that is nested too deeply', INSERT, JSON_TYPE, '['.repeat(10_000), 400],
    ['CSV lines of different lengths', INSERT, CSV, 'a,b\n1', 400],
    ['an empty CSV', INSERT, CSV, '', 400],
    ['CSV that is not UTF-8', INSERT, CSV, Buffer.from([0xff]), 400],
    ['a form that is not UTF-8', INSERT, FORM, 'a=%ff', 400],
    ['plain text', INSERT, 'text/plain', 'x', 400],
    ['XML', PUT, 'text/xml', '<a/>', 400],
    ['bytes', INSERT, 'application/octet-stream', 'x', 400],
    ['an unknown content type', INSERT, 'image/png', 'x', 400],
    ['a body that is too large', INSERT, JSON_TYPE, Buffer.alloc(MAX_BODY_BYTES + 1, ' '), 413],
    ['too many rows', INSERT, JSON_TYPE, Buffer.from(`[${'{},'.repeat(MAX_ROWS)}{}]`), 413],
    ['too many lines of CSV', INSERT, CSV, Buffer.from(`a\n${'1\n'.repeat(MAX_ROWS + 1)}`), 413],
    ['too many columns of CSV', INSERT, CSV, Buffer.from(','.repeat(MAX_NAMES)), 400],
    ['a key that is too long', INSERT, JSON_TYPE, Buffer.from(`{"${'a'.repeat(MAX_KEY_BYTES)}":1}`), 400],
    ['a CSV name that is too long', INSERT, CSV, Buffer.from('a'.repeat(MAX_KEY_BYTES + 1)), 400],
    ['a form that is too large', INSERT, FORM, Buffer.from(`a=${'b'.repeat(MAX_FORM_BYTES)}`), 413],
    [
      'a function body that is too large',
      CALL,
      'application/octet-stream',
      Buffer.alloc(MAX_BODY_BYTES + 1),
      413,
    ],
  ])('are rejected in %s', (_, action, type, body, status) => {
    expect(() => parse(action, type, body)).toThrow(expect.objectContaining({ code: 'PGRST102', status }));
  });

  it('report errors without repeating the body', () => {
    expect(() => parse(INSERT, JSON_TYPE, '{"password":hunter2}')).toThrow(
      expect.objectContaining({
        message: 'Empty or invalid json',
        extra: undefined,
      }),
    );
  });
});

describe('arguments', () => {
  it.each([
    [undefined, '', undefined, rows('{}', [], 1)],
    [JSON_TYPE, '{"a":1}', undefined, rows('{"a":1}', ['a'], 1)],
    [JSON_TYPE, '[{"a":1},{"a":2}]', undefined, rows('[{"a":1},{"a":2}]', ['a'], 2)],
    [JSON_TYPE, '{"a":1,"b":2}', ['a'], rows('{"a":1,"b":2}', ['a'], 1)],
    [JSON_TYPE, '5', undefined, rows('5', [], 0)],
    [CSV, 'a\n1', undefined, rows('[{"a":"1"}]', ['a'], 1)],
  ])('of type %s are parsed from %j with columns %j', (type, text, columns, body) => {
    expect(parsedBody(CALL, type, text, columns)).toEqual(body);
  });

  it('of a form keep repeated names', () => {
    expect(parse(CALL, FORM, 'v=1&v=2')).toEqual({
      kind: 'form',
      fields: [
        ['v', '1'],
        ['v', '2'],
      ],
    });
  });

  it.each(['text/plain', 'text/xml', 'application/octet-stream'])('are the body itself: %s', (type) => {
    expect(parse(CALL, `${type}; charset=x`, 'abc')).toEqual({
      kind: 'raw',
      mediaType: type,
      bytes: Buffer.from('abc'),
    });
  });

  it.each([
    [JSON_TYPE, '[1,2]'],
    [JSON_TYPE, ' '],
    ['image/png', 'x'],
    [FORM, 'a=%ff'],
  ])('are rejected in %s %j', (type, text) => {
    expect(() => parse(CALL, type, text)).toThrow(expect.objectContaining({ code: 'PGRST102', status: 400 }));
  });
});

it.each([READ, DELETE, CALL_BY_GET])('ignores the body of %j', (action) => {
  expect(parse(action, 'image/png', '{')).toBeUndefined();
});

it('parses or rejects any body', () => {
  const type = fc.oneof(fc.constantFrom(JSON_TYPE, CSV, FORM, 'text/plain'), fc.string());
  const bytes = fc.oneof(
    fc.uint8Array().map(Buffer.from),
    fc.json().map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.constantFrom(INSERT, UPDATE, PUT, CALL), type, bytes, (action, contentType, body) => {
      try {
        runAtOnce(parseBody({ action, contentType, bytes: body, columns: undefined }));
      } catch (error) {
        expect(error).toBeInstanceOf(CatalogueError);
      }
    }),
  );
});

it('returns at most one name more than a relation may have', () => {
  const json = JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key_${i}`, i])));
  const body = parse(INSERT, JSON_TYPE, json);
  expect(body).toMatchObject({ kind: 'json', rowCount: 1 });
  const columns = body?.kind === 'json' ? body.columns : [];
  expect(columns.length).toBeGreaterThan(1600);
  expect(columns.length).toBeLessThan(5000);
});

it('rejects a form with too many fields', () => {
  const form = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=1`).join('&');
  expect(parsedBody(CALL, FORM, form(10_000))).toMatchObject({ kind: 'form' });
  expect(() => parse(CALL, FORM, form(10_001))).toThrow('The form has too many fields');
});

describe('large bodies', () => {
  const json = (text: string) => [JSON_TYPE, text] as const;
  const csv = (text: string) => [CSV, text] as const;
  const MANY = 500_000;

  it.each([
    ['rows', ...json(`[${'{},'.repeat(MANY)}{}]`)],
    ['nested arrays', ...json(`[${`${'['.repeat(500)}${']'.repeat(500)},`.repeat(2000)}1]`)],
    ['one string', ...json(`"${'a'.repeat(MANY)}"`)],
    ['escapes', ...json(`"${'\\\\u0041'.repeat(MANY / 5)}"`)],
    ['blanks', ...json(`${' '.repeat(MANY)}[]`)],
    ['different keys', ...json(`[{},{${'"a":1,'.repeat(MANY / 5)}"b":1}]`)],
    ['lines', ...csv(`a\n${'1\n'.repeat(MANY)}`)],
    ['empty lines', ...csv(`a\n${'\n'.repeat(MANY)}`)],
    ['one field', ...csv(`a\n"${'b'.repeat(MANY)}"`)],
    ['doubled quotes', ...csv(`a\n"${'""'.repeat(MANY / 2)}"`)],
  ])('are parsed in steps: %s', (_, contentType, text) => {
    const bytes = Buffer.from(text);
    const work = parseBody({ action: CALL, contentType, bytes, columns: ['a'] });
    let steps = 1;
    while (!work.next().done) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(Math.floor(bytes.length / STEP_BYTES));
  });

  it('have the same result when they are parsed in slices', async () => {
    const bytes = Buffer.from(`[${'{"a":1},'.repeat(100_000)}{"a":2}]`);
    const request = { action: INSERT, contentType: JSON_TYPE, bytes, columns: undefined };
    const read = readBody(request, () => ({
      queue: createBodyQueue(),
      keys: [],
      signal: { aborted: false, reason: undefined },
    }));
    expect(read).toBeInstanceOf(Promise);
    expect(await read).toEqual(runAtOnce(parseBody(request)));
  });

  it('are not parsed completely after the client has disconnected', async () => {
    const bytes = Buffer.from(`[${'{"a":1},'.repeat(1_000_000)}{"a":2}]`);
    const request = { action: INSERT, contentType: JSON_TYPE, bytes, columns: undefined };
    const signal = { aborted: true, reason: new Error('gone') };
    const turns = () => ({ queue: createBodyQueue(), keys: [], signal });
    await expect(readBody(request, turns)).rejects.toThrow('gone');
  });
});
