import { describe, expect, it } from 'vitest';
import { addFollowed, detailsOf, joinLines, type LogLine, MAX_FOLLOWED, summaryOf } from './log-lines.ts';

const line = (id: string, fields: Record<string, unknown> = {}, message = 'request'): LogLine => ({
  id,
  time: '2026-01-01T00:00:00.000Z',
  level: 'info',
  service: 'rest',
  message,
  fields,
});
const ids = (lines: readonly LogLine[]) => lines.map(({ id }) => id);

describe('lines', () => {
  it('that were followed and loaded are shown once, newest first', () => {
    expect(ids(joinLines([line('3'), line('4')], [line('3'), line('2')]))).toEqual(['4', '3', '2']);
  });

  it('above the maximum are removed, oldest first', () => {
    const many = Array.from({ length: MAX_FOLLOWED }, (_, index) => line(String(index)));
    const added = addFollowed(many, [line('new')]);
    expect([added.length, added[0]?.id, added.at(-1)?.id]).toEqual([MAX_FOLLOWED, '1', 'new']);
  });
});

describe('a line', () => {
  it.each([
    [{ method: 'GET', path: '/rest/v1/notes', status: 200 }, 'request', 'GET /rest/v1/notes'],
    [{ postgres: 'ERROR:  a' }, 'postgres', 'ERROR:  a'],
    [{ function: 'hello', text: 'printed' }, 'printed', 'hello: printed'],
    [{ err: { message: 'broken', stack: 'a' } }, 'failed', 'failed: broken'],
    [{}, 'started', 'started'],
  ])('with the fields %j and the message %s has the summary %s', (fields, message, expected) => {
    expect(summaryOf(line('1', fields, message))).toBe(expected);
  });

  it('has details with the stack of its error last', () => {
    const fields = { err: { message: 'broken', stack: 'Error: broken\n at a' }, status: 500, reqId: 'r1' };
    expect(detailsOf(line('1', fields))).toEqual([
      { name: 'status', text: '500', isLong: false },
      { name: 'reqId', text: 'r1', isLong: false },
      { name: 'err', text: 'Error: broken\n at a', isLong: true },
    ]);
  });
});
