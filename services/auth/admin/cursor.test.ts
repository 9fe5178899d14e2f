import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cursorHeaders, formatCursor, readCursorPage } from './cursor.ts';

const read = (query: Record<string, string>) => readCursorPage(new URLSearchParams(query));
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const cursor = { createdAt: 1_767_225_600_123_456, id: randomUUID() };

describe('readCursorPage', () => {
  it.each([
    [{}, { limit: 50, after: undefined }],
    [
      { limit: '', cursor: '' },
      { limit: 50, after: undefined },
    ],
    [{ limit: '7' }, { limit: 7, after: undefined }],
    [{ limit: '5000' }, { limit: 1000, after: undefined }],
    [{ cursor: formatCursor(cursor) }, { limit: 50, after: cursor }],
  ])('parses %j', (query, expected) => {
    expect(read(query as Record<string, string>)).toEqual(expected);
  });

  it.each([
    { limit: '0' },
    { limit: '-1' },
    { limit: 'all' },
    { limit: '1e3' },
    { cursor: 'x' },
    { cursor: '%' },
    { cursor: encode(null) },
    { cursor: encode([]) },
    { cursor: encode({ id: cursor.id }) },
    { cursor: encode({ created_at: 1, id: 'me' }) },
    { cursor: encode({ created_at: -1, id: cursor.id }) },
    { cursor: encode({ created_at: 1e300, id: cursor.id }) },
    { cursor: encode({ created_at: 1.5, id: cursor.id }) },
    { cursor: encode({ created_at: '2026-01-01', id: cursor.id }) },
  ])('rejects %j', (query) => {
    expect(() => read(query as Record<string, string>)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        message: expect.stringContaining('Bad Pagination'),
      }),
    );
  });
});

it('links to the next page without the API key', () => {
  expect(cursorHeaders('/u?apikey=secret&limit=5&sort=created_at&cursor=old', 'new')).toEqual({
    link: '</u?cursor=new&limit=5&sort=created_at>; rel="next"',
  });
  expect(cursorHeaders('/u', undefined)).toEqual({});
});
