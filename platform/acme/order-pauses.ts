/** The pauses between orders that fail. Failures are counted in a file, so that the pauses grow across restarts, too. */
import { isDeepStrictEqual } from 'node:util';
import { AcmeError } from './errors.ts';
import type { FailedOrders, OrderAttempts } from './order-attempts.ts';

/** Five attempts in the first hour stay within the limit of Let's Encrypt for failed checks. */
const FIRST_RETRY_MS = 120_000;
const MAX_RETRY_MS = 6 * 3_600_000;

/** Options of {@link createOrderPauses}. */
interface PauseOptions {
  domains: readonly string[];
  attempts: OrderAttempts;
  /** Pause after the first failure; doubles with each further failure. Default: two minutes. */
  firstRetryMs?: number;
}

/** Failures and the pause after them. */
interface OrderPauses {
  /** Time of the next order, in milliseconds since the epoch; undefined if the latest one has succeeded. */
  retryAt(): number | undefined;
  /** Ends the pause. */
  skip(): void;
  /** Continues the pause of an earlier process, and returns its failures; undefined without a pause. */
  resume(): Promise<number | undefined>;
  /** Counts an order that begins as a failure. Rejects if that cannot be stored: then the order must not be made. */
  begin(): Promise<void>;
  /** Begins the pause after a failure, and returns it in milliseconds. */
  fail(error: unknown): Promise<number>;
  /** Ends the pause after a success; failures stay counted until they are forgotten. */
  end(): void;
  /** Forgets the failures. */
  forget(): Promise<void>;
}

export function createOrderPauses({
  domains,
  attempts,
  firstRetryMs = FIRST_RETRY_MS,
}: PauseOptions): OrderPauses {
  let count = 0;
  let retryAt: number | undefined;

  const store = (pauseMs: number) => attempts.store({ domains, count, at: Date.now(), pauseMs });

  return {
    retryAt: () => retryAt,
    skip() {
      if (retryAt !== undefined) retryAt = Date.now();
    },
    async resume() {
      const failed = await attempts.read();
      if (failed === undefined || !isDeepStrictEqual(failed.domains, domains)) return undefined;
      count = failed.count;
      const end = endOfPause(failed);
      if (end <= Date.now()) return undefined;
      retryAt = end;
      return count;
    },
    async begin() {
      count += 1;
      // A start after the first failure tries at once: the operator may have removed the cause.
      await store(count === 1 ? 0 : retryDelay(count, undefined, firstRetryMs));
    },
    async fail(error) {
      const pauseMs = retryDelay(count, error, firstRetryMs);
      retryAt = Date.now() + pauseMs;
      const isFree = count === 1 && demandedPause(error) === 0;
      // Stored by `begin` already, except for the pause.
      await store(isFree ? 0 : pauseMs).catch(() => undefined);
      return pauseMs;
    },
    end() {
      retryAt = undefined;
    },
    async forget() {
      count = 0;
      await attempts.clear();
    },
  };
}

/** A time in the future was that of a wrong clock. */
function endOfPause({ at, pauseMs }: FailedOrders): number {
  return Math.min(at, Date.now()) + pauseMs;
}

/** Doubles with each failure, and is at least the time that the authority demands. */
function retryDelay(failures: number, error: unknown, firstMs: number): number {
  return Math.max(demandedPause(error), Math.min(firstMs * 2 ** (failures - 1), MAX_RETRY_MS));
}

function demandedPause(error: unknown): number {
  return error instanceof AcmeError ? (error.retryAfterMs ?? 0) : 0;
}
