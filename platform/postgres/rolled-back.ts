/** Transactions that are only tried: to see whether somebody would be allowed to. */
import type { Database, Transaction } from './database.ts';

/** Carries a value out of a transaction that must not stay. */
class Undone<T> extends Error {
  readonly value: T;

  constructor(value: T) {
    super('rolled back on purpose');
    this.value = value;
  }
}

/** Runs `work` in a transaction and takes back what it did. Rejects with what `work` throws. */
export async function rolledBack<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(async (tx) => {
      throw new Undone(await work(tx));
    });
  } catch (error) {
    if (error instanceof Undone) return error.value as T;
    throw error;
  }
}
