/** Runs requests on pooled connections, and cancels them by their ids. */

import { createFairQueue } from '@greenroom/limits';
import {
  cancelOnAbort,
  type openRawPool,
  type RawClient,
  type RawPool,
  runLimited,
} from '@greenroom/postgres';
import { failure } from '../errors.ts';

const IDLE_MS = 30_000;
const MAX_WAITING = 256;

/** Lends connections of `postgres`, each without traces of earlier use. */
export interface Runner {
  /**
   * Runs `work` on a connection. Its statement is cancelled when `signal` aborts. Rejects with an error of the catalogue if too
   * many requests wait, or if a running request has the id.
   */
  run<T>(
    work: (client: RawClient) => Promise<T>,
    options?: { id?: string | undefined; signal?: AbortSignal },
  ): Promise<T>;
  /** Cancels the request with this id. Returns whether there is one. */
  cancel(id: string): boolean;
  close(): Promise<void>;
}

/** Options of {@link createRunner}. */
interface RunnerOptions {
  open: (
    options: Pick<Parameters<typeof openRawPool>[0], 'max' | 'idleTimeoutMs' | 'preparesStatements'>,
  ) => RawPool;
  maxRunning: number;
}

/** Creates a runner. Connections are opened on demand. */
export function createRunner({ open, maxRunning }: RunnerOptions): Runner {
  const pool = open({ max: maxRunning, idleTimeoutMs: IDLE_MS, preparesStatements: () => false });
  const queue = createFairQueue({
    max: maxRunning,
    maxPerClient: maxRunning,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING,
  });
  const running = new Map<string, AbortController>();

  async function use<T>(work: (client: RawClient) => Promise<T>, signal: AbortSignal): Promise<T> {
    return queue.run([], () =>
      pool.use(async (client) => {
        signal.throwIfAborted();
        try {
          return await cancelOnAbort(client, work(client), signal);
        } finally {
          await resetSession(client).catch(() => client.end());
        }
      }),
    );
  }

  return {
    async run(work, { id, signal } = {}) {
      if (id !== undefined && running.has(id)) throw failure('id_in_use');
      const own = new AbortController();
      if (id !== undefined) running.set(id, own);
      try {
        return await use(work, signal ? AbortSignal.any([own.signal, signal]) : own.signal);
      } finally {
        if (id !== undefined) running.delete(id);
      }
    },
    cancel(id) {
      const found = running.get(id);
      found?.abort(failure('statement_cancelled'));
      return found !== undefined;
    },
    close: () => pool.close(),
  };
}

/** Removes settings, temporary tables, cursors and locks. */
async function resetSession(client: RawClient): Promise<void> {
  const isIdle = client.getTransactionStatus() === 'I';
  for (const text of isIdle ? ['discard all'] : ['rollback', 'discard all'])
    await runLimited(client, { text, maxRows: 0, maxBytes: 0 });
}
