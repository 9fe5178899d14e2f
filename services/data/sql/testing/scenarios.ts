/** Tables of writes and their expected results. */
import { expect, it } from 'vitest';
import type { TestWrite, WriteResult, Writes } from './writes.ts';

/** A write and the expected parts of its result. */
export type WriteScenario = readonly [name: string, write: TestWrite, expected: Partial<WriteResult>];

/** A write and the SQLSTATE that rejects it. */
export type RefusedWrite = readonly [name: string, write: TestWrite, code: string];

/** One test for each row. The database is open when they run. */
export function checkWrites(writes: () => Writes, scenarios: readonly WriteScenario[]): void {
  it.each(scenarios)('%s', async (_, write, expected) => {
    const result = await writes().write(write);
    const keys = Object.keys(expected) as (keyof WriteResult)[];
    expect(Object.fromEntries(keys.map((key) => [key, result[key]]))).toEqual(expected);
  });
}

/** One test for each row. */
export function refuseWrites(writes: () => Writes, refusals: readonly RefusedWrite[]): void {
  it.each(refusals)('rejects %s with SQLSTATE $2', async (_, write, code) => {
    await expect(writes().write(write)).rejects.toHaveProperty('code', code);
  });
}
