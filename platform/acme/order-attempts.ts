/**
 * The orders that have failed since the latest success, in a file, so that a server which is started again and again stays
 * within the limits of its authority.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';

const FILE = 'failed-orders.json';

/** Orders without a success. */
export interface FailedOrders {
  /** The names of the orders. */
  domains: readonly string[];
  /** An order in progress counts, because the process may end during it. */
  count: number;
  /** Time of the latest one, in milliseconds since the epoch. */
  at: number;
  /** Pause after the latest one. */
  pauseMs: number;
}

/** The file of an authority's folder. */
export interface OrderAttempts {
  /** Returns the failed orders; undefined if there are none, or the file is damaged. */
  read(): Promise<FailedOrders | undefined>;
  store(failed: FailedOrders): Promise<void>;
  /** Removes the file after a success. */
  clear(): Promise<void>;
}

/** @param folder folder of an authority; created when it is needed */
export function openOrderAttempts(folder: string): OrderAttempts {
  const path = join(folder, FILE);
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      return parse(text);
    },
    async store(failed) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFileAtomically(path, `${JSON.stringify(failed)}\n`);
    },
    clear: () => rm(path, { force: true }),
  };
}

function parse(text: string): FailedOrders | undefined {
  try {
    const { domains, count, at, pauseMs } = JSON.parse(text) as Partial<FailedOrders>;
    const isValid = Array.isArray(domains) && [count, at, pauseMs].every((value) => Number.isFinite(value));
    return isValid ? ({ domains, count, at, pauseMs } as FailedOrders) : undefined;
  } catch {
    return undefined;
  }
}
