/** Runs transactions as a trial, to find out whether a caller would be allowed to run them. */
import type { Database, Transaction } from './database.ts';

/** Carries a value out of a transaction that is rolled back. */
class RolledBackValue<T> extends Error {
  readonly value: T;

  constructor(value: T) {
    super('rolled back on purpose');
    this.value = value;
  }
}

/** Runs `work` in a transaction and rolls it back. Resolves with the result of `work`, rejects with its error. */
export async function runAndRollBack<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await database.transaction(async (tx) => {
      throw new RolledBackValue(await work(tx));
    });
  } catch (error) {
    if (error instanceof RolledBackValue) return error.value as T;
    throw error;
  }
}
