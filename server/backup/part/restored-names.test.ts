import { describe, expect, it } from 'vitest';
import { numberedNames, restoredBucket, restoredSchema } from './restored-names.ts';

const TIME = '2026-11-27T10:15:00.123Z';

describe('restored names', () => {
  it('contain the time of the state', () => {
    expect(restoredSchema(TIME)).toBe('restored_20261127t101500z');
    expect(restoredBucket('files', TIME)).toBe('files-restored-20261127t101500z');
  });

  it('of buckets have at most 100 characters', () => {
    const id = restoredBucket('b'.repeat(100), TIME);
    expect([id.length, id.endsWith('b-restored-20261127t101500z')]).toEqual([100, true]);
  });
});

describe('numberedNames', () => {
  it('yields the name, then numbers', () => {
    const names = numberedNames('todos');
    expect([names.next().value, names.next().value, names.next().value]).toEqual([
      'todos',
      'todos_2',
      'todos_3',
    ]);
  });

  it('keeps the number within the limit of PostgreSQL, and characters whole', () => {
    const [, second = ''] = numberedNames(`a${'ü'.repeat(31)}`).take(2);
    expect(second).toBe(`a${'ü'.repeat(30)}_2`);
    expect(Buffer.byteLength(second)).toBe(63);
  });
});
