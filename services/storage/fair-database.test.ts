import type { Database } from '@greenroom/postgres';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFairDatabase, runForClient, setClient } from './fair-database.ts';

/** Clients of started statements, in order. */
let started: string[];
let ends: (() => void)[];
let database: Database;

beforeEach(() => {
  started = [];
  ends = [];
  const query = ({ text }: { text: string }) => {
    started.push(text);
    return new Promise<never[]>((resolve) => ends.push(() => resolve([])));
  };
  database = createFairDatabase({ query } as unknown as Database, 4);
});

// Ends waiting statements, whose timeout would otherwise occur during another test.
afterEach(async () => {
  while (ends.length > 0) await endOne();
});

const query = (client: string, count = 1) =>
  runForClient([client], () => {
    for (let index = 0; index < count; index += 1) void database.query({ text: client });
  });
/** Ends the oldest running statement. */
const endOne = async () => {
  ends.shift()?.();
  await new Promise(setImmediate);
};

it('leaves two connections to other clients', () => {
  query('a', 10);
  expect(started.join('')).toBe('aa');
  query('b', 2);
  expect(started.join('')).toBe('aabb');
});

it('assigns free connections to clients in round robin', async () => {
  query('a', 10);
  query('b', 10);
  query('c');
  query('d');
  for (let index = 0; index < 4; index += 1) await endOne();
  expect(started.slice(4).toSorted().join('')).toContain('cd');
});

it('counts the rest of a request under the most recently set keys', async () => {
  query('a', 2);
  runForClient(['a'], () => {
    setClient(['account']);
    void database.query({ text: 'account' });
  });
  expect(started).toEqual(['a', 'a', 'account']);
});

it('limits work outside of requests only by the total', async () => {
  for (let index = 0; index < 6; index += 1) void database.query({ text: 'x' });
  expect(started.join('')).toBe('xxxx');
  await endOne();
  expect(started.join('')).toBe('xxxxx');
});

it('releases the connection of a statement that fails', async () => {
  const failing = createFairDatabase(
    { query: () => Promise.reject(new Error('no')) } as unknown as Database,
    1,
  );
  for (let index = 0; index < 3; index += 1) await expect(failing.query({ text: '' })).rejects.toThrow('no');
});
