/** Stores responses, as many as have arrived in one transaction. */
import type { Logger } from '@greenroom/log';
import type { Query } from '../query.ts';
import { TablesUnavailableError } from './lock-tables.ts';
import { removeRequest, type SettledRequest, storeResponses } from './queue.ts';

/** Size of the contents that one statement stores, except for a single larger one. */
const MAX_BATCH_CHARACTERS = 8 * 1024 * 1024;
/**
 * SQLSTATE classes of failures that pass: of the connection, of resources, by an operator; locks and deadlocks.
 */
const PASSES = /^(?:08|53|57|40|55P03)/;

/** Collects responses. */
interface Recorder {
  add(settled: SettledRequest): void;
  /**
   * Stores the collected responses. Calls `onStored` with the keys of requests that are no longer in the queue. Rejects if the
   * database is unavailable or a table is locked; the other responses remain collected.
   */
  flush(onStored: (keys: readonly string[]) => void): Promise<void>;
  /** Discards the collected responses, and returns the keys of their requests. */
  clear(): string[];
}

/** Creates a recorder. */
export function createRecorder(query: Query, log: Pick<Logger, 'warn'>): Recorder {
  let pending: SettledRequest[] = [];

  async function store(batch: readonly SettledRequest[]): Promise<void> {
    try {
      await storeResponses(query, batch);
    } catch (error) {
      if (passes(error)) throw error;
      const [only] = batch;
      if (batch.length > 1) {
        for (const settled of batch) await store([settled]);
      } else if (only !== undefined) {
        await discard(only, error as Error);
      }
    }
  }

  /** A trigger or a constraint of the project rejects the response. The request must not be sent again and again. */
  async function discard(settled: SettledRequest, { message }: Error): Promise<void> {
    // First: it rejects if the extension was dropped, which is no fault of the project.
    await removeRequest(query, settled);
    const { id, status_code: status } = settled.response;
    log.warn(
      { request: id, status, reason: message },
      'the response to an HTTP request of SQL was not stored',
    );
  }

  return {
    add(settled) {
      pending.push(settled);
    },
    async flush(onStored) {
      while (pending.length > 0) {
        const batch = pending.slice(0, batchLength(pending));
        await store(batch);
        pending = pending.slice(batch.length);
        onStored(batch.map(({ key }) => key));
      }
    },
    clear() {
      const keys = pending.map(({ key }) => key);
      pending = [];
      return keys;
    },
  };
}

function batchLength(settled: readonly SettledRequest[]): number {
  let size = 0;
  const end = settled.findIndex(({ response }) => {
    size += response.content?.length ?? 0;
    return size > MAX_BATCH_CHARACTERS;
  });
  return end === -1 ? settled.length : Math.max(end, 1);
}

/** Errors without a SQLSTATE are those of a lost connection. */
function passes(error: unknown): boolean {
  if (error instanceof TablesUnavailableError) return true;
  const { code } = error as { code?: string };
  return code === undefined || PASSES.test(code);
}
