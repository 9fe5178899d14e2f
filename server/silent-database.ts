/**
 * A stop while the database is silent: connections exist, but nothing responds on them. Each part of the instance would wait
 * for it, one after the other, and some of them without a limit. Nothing that the database has acknowledged is lost: it
 * recovers at its next start, as after a crash.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@greenroom/log';

/** Time that the database has to respond when a stop begins. A loaded machine can delay a response by seconds. */
const RESPONSE_TIMEOUT_MS = 5000;
/** Time that each part has to close once the database is known to be silent. */
const CLOSE_TIMEOUT_MS = 2000;

/** Options of {@link createSilence}. */
interface SilenceOptions {
  log: Pick<Logger, 'warn'>;
  responseTimeoutMs?: number;
  closeTimeoutMs?: number;
}

/** Knowledge of a stop about its database. */
export interface Silence {
  /** Aborts when the database has not responded in time. */
  readonly signal: AbortSignal;
  /**
   * Runs `stop`, and meanwhile `probe`, which sends a statement. A rejected probe does not count as silence: parts learn of
   * a closed connection at once.
   */
  watch(probe: () => Promise<unknown>, stop: () => Promise<void>): Promise<void>;
  /** Closes a part that uses the database. If the database is silent, waits a limited time. */
  close(close: () => Promise<unknown>): Promise<void>;
}

/** Creates the knowledge for one stop. Until `watch` is called, the database does not count as silent. */
export function createSilence(options: SilenceOptions): Silence {
  const { log, responseTimeoutMs = RESPONSE_TIMEOUT_MS, closeTimeoutMs = CLOSE_TIMEOUT_MS } = options;
  const silent = new AbortController();
  const { signal } = silent;
  return {
    signal,
    async watch(probe, stop) {
      const timer = setTimeout(() => {
        log.warn({ waitedMs: responseTimeoutMs }, 'the database does not respond; stopping without it');
        silent.abort();
      }, responseTimeoutMs);
      const cancel = () => clearTimeout(timer);
      void probe().then(cancel, cancel);
      try {
        await stop();
      } finally {
        cancel();
      }
    },
    async close(close) {
      const over = new AbortController();
      const closed = close();
      try {
        await Promise.race([closed, afterSilence(signal, closeTimeoutMs, over.signal)]);
      } finally {
        over.abort();
      }
    },
  };
}

/** Resolves `ms` after the database was found to be silent; never if `over` aborts before. */
async function afterSilence(silent: AbortSignal, ms: number, over: AbortSignal): Promise<void> {
  const never = new Promise<never>(() => {});
  if (!silent.aborted) {
    await new Promise<void>((resolve) =>
      silent.addEventListener('abort', () => resolve(), { once: true, signal: over }),
    );
  }
  await sleep(ms, undefined, { signal: over }).catch(() => never);
}
