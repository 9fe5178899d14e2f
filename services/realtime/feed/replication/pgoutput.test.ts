import { describe, expect, it } from 'vitest';
import { createPgOutputReader, type PgOutputReaderOptions, TOO_LARGE } from './pgoutput.ts';

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const int16 = (value: number) => int32(value).subarray(2);
const cstring = (text: string) => Buffer.from(`${text}\0`);
const message = (...parts: (string | Buffer | number)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part as string))),
  );
const text = (value: string) => message('t', int32(Buffer.byteLength(value)), value);
const relation = (identity: string, ...columns: [name: string, isKey: number][]) =>
  message(
    'R',
    int32(7),
    cstring('public'),
    cstring('t'),
    identity,
    int16(columns.length),
    ...columns.map(([name, isKey]) => message(isKey, cstring(name), int32(25), int32(0xffffffff))),
  );
const two = relation('d', ['id', 1], ['v', 0]);
const tuple = (kind: string, ...values: Buffer[]) => message(kind, int16(values.length), ...values);

function reader(options: Partial<PgOutputReaderOptions> = {}) {
  return createPgOutputReader({
    isRelevant: () => true,
    largeBytes: 1000,
    maxValueBytes: 10,
    isReadCompletely: () => false,
    ...options,
  });
}

describe('createPgOutputReader', () => {
  it('returns changes with the time and id of their transaction', () => {
    const read = reader();
    const begin = Buffer.alloc(21);
    begin.write('B');
    begin.writeBigInt64BE(1_999n, 9);
    begin.writeUInt32BE(4_000_000_000, 17);
    expect(read(begin)).toEqual({ kind: 'other' });
    read(two);
    expect(read(message('I', int32(7), tuple('N', text('1'), message('n'))))).toMatchObject({
      kind: 'change',
      type: 'INSERT',
      commitTimeMs: Date.UTC(2000, 0, 1) + 1,
      xid: 4_000_000_000,
      record: ['1', null],
      oldRecord: undefined,
    });
  });

  it('returns the end position of a commit', () => {
    const commit = Buffer.alloc(26);
    commit.write('C');
    commit.writeBigUInt64BE(5n, 2);
    commit.writeBigUInt64BE(2n ** 63n + 9n, 10);
    expect(reader()(commit)).toEqual({ kind: 'commit', end: 2n ** 63n + 9n });
  });

  it.each([
    ['without an old row', 'd', message(), undefined, false],
    ['with its old key', 'd', tuple('K', text('0'), message('n')), ['0', null], false],
    ['with its whole old row', 'f', tuple('O', text('0'), text('old')), ['0', 'old'], true],
  ])('reads an update of a row %s', (_, identity, old, oldRecord, isOldComplete) => {
    const read = reader();
    read(relation(identity, ['id', 1], ['v', 0]));
    const update = read(message('U', int32(7), old, tuple('N', text('1'), message('u'))));
    expect(update).toMatchObject({
      type: 'UPDATE',
      oldRecord,
      isOldComplete,
      record: ['1', isOldComplete ? 'old' : undefined],
    });
  });

  it('keeps only small values of a large change', () => {
    const read = reader({ largeBytes: 20 });
    read(two);
    const long = text('x'.repeat(11));
    expect(
      read(message('U', int32(7), tuple('O', text('1'), text('a')), tuple('N', text('1'), long))),
    ).toMatchObject({
      record: ['1', TOO_LARGE],
    });
    const readComplete = reader({ largeBytes: 20, isReadCompletely: () => true });
    readComplete(two);
    expect(readComplete(message('I', int32(7), tuple('N', text('1'), long)))).toMatchObject({
      record: ['1', 'x'.repeat(11)],
    });
  });

  it('skips changes of unwanted relations', () => {
    const read = reader({ isRelevant: () => false });
    read(two);
    expect(read(message('I', int32(7), 'nonsense'))).toEqual({ kind: 'other' });
  });

  it.each([
    ['TRUNCATE', message('T', int32(1), 0, int32(7))],
    ['a type message', message('Y', int32(1), cstring('s'), cstring('t'))],
    ['messages of later protocol versions', message('?')],
  ])('ignores %s', (_, bytes) => {
    expect(reader()(bytes)).toEqual({ kind: 'other' });
  });

  it.each([
    ['a change of an undescribed relation', message('I', int32(8), tuple('N', text('1')))],
    ['a truncated value', message('I', int32(7), message('N', int16(1), 't', int32(9), 'abc'))],
    ['a truncated tuple', message('I', int32(7), message('N', int16(2), text('1')))],
    ['an unknown kind of value', message('I', int32(7), message('N', int16(1), 'z'))],
    ['an empty message', message()],
    ['a truncated relation', message('R', int32(7), 'public')],
  ])('rejects %s', (_, bytes) => {
    const read = reader();
    read(two);
    expect(() => read(bytes)).toThrow();
  });
});
