/**
 * Sends the requests of the queue with a bounded concurrency. Each is removed from the queue in the transaction that stores its
 * response, so a request that a crash interrupts is sent again: delivery is at least once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@greenroom/log';
import type { JobsMetrics } from '../metrics.ts';
import { createAttempts } from './attempt.ts';
import { deleteExpired, hasTables, type Query, readQueue } from './queue.ts';
import { createRecorder } from './recorder.ts';
import { type QueuedRequest, type SendRequest, storedResponse } from './request.ts';
import type { QueueWork } from './session.ts';
import { createWorkLoop } from './work-loop.ts';

/** Notifications wake the dispatcher; this is for rows that SQL inserts without one. */
const POLL_MS = 60_000;
const CLEAN_UP_EVERY_MS = 10 * 60_000;
/** Pause after the instance itself did not accept a request, or a statement failed. */
const RETRY_MS = 1000;
const FINISH_TIMEOUT_MS = 10_000;
const END_TIMEOUT_MS = 1000;

/** Options of {@link createDispatcher}. */
interface DispatcherOptions {
  query: Query;
  /** Loads the function that sends requests; called for the first one. */
  loadSender: () => Promise<SendRequest>;
  limits: { maxConcurrentRequests: number; responseTtlMs: number };
  metrics: Pick<JobsMetrics, 'ended' | 'inProgress'>;
  log: Pick<Logger, 'warn'>;
}

/** Creates a dispatcher, which works when it is woken. */
export function createDispatcher(options: DispatcherOptions): QueueWork {
  const { query, loadSender, limits, metrics, log } = options;
  const stop = new AbortController();
  const recorder = createRecorder(query, log);
  const attempts = createAttempts({ loadSender, stop: stop.signal });
  const loop = createWorkLoop({ step, onError, retryMs: RETRY_MS, stop: stop.signal });
  /** Requests that must not be read: in progress, or not recorded yet. */
  const claimed = new Set<string>();
  let isFinishing = false;
  /** Whether the queue may have requests that are not claimed. */
  let hasMore = true;
  let isInstalled = false;
  let cleanedAt = Number.NEGATIVE_INFINITY;

  async function step(): Promise<void> {
    await recorder.flush((ids) => {
      for (const id of ids) claimed.delete(id);
    });
    metrics.inProgress.set(claimed.size);
    if (!isInstalled) isInstalled = await hasTables(query);
    if (!isInstalled || isFinishing) return;
    await startDue();
    if (performance.now() - cleanedAt < CLEAN_UP_EVERY_MS) return;
    cleanedAt = performance.now();
    await deleteExpired(query, limits.responseTtlMs);
  }

  function onError({ message }: Error): void {
    log.warn({ reason: message }, 'the queue of HTTP requests could not be processed; it is retried');
    isInstalled = false;
    hasMore = true;
  }

  async function startDue(): Promise<void> {
    const limit = limits.maxConcurrentRequests - claimed.size;
    if (!hasMore || limit <= 0) return;
    // Before the statement: a notification that arrives meanwhile sets it again.
    hasMore = false;
    const due = await readQueue(query, { inProgress: [...claimed], limit });
    if (due.length === 0) return;
    // Fewer rows than requested may also be due to the size of bodies.
    hasMore = true;
    for (const request of due) {
      claimed.add(request.id);
      void send(request);
    }
    metrics.inProgress.set(claimed.size);
    if (claimed.size < limits.maxConcurrentRequests) loop.request();
  }

  async function send(request: QueuedRequest): Promise<void> {
    const outcome = await attempts.send(request);
    if (stop.signal.aborted) return;
    if (outcome.kind === 'not-sent') {
      await sleep(RETRY_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
      claimed.delete(request.id);
      wake();
      return;
    }
    metrics.ended.inc({ outcome: outcome.kind });
    recorder.add(storedResponse(request.id, outcome));
    loop.request();
  }

  function wake(): void {
    if (isFinishing) return;
    hasMore = true;
    loop.request();
  }

  const poll = setInterval(wake, POLL_MS);
  poll.unref();
  const end = () => {
    clearInterval(poll);
    stop.abort();
    metrics.inProgress.set(0);
  };
  return {
    wake,
    abort: end,
    async finish() {
      isFinishing = true;
      const deadline = performance.now() + FINISH_TIMEOUT_MS;
      const isBusy = () => claimed.size > attempts.notSent() && !stop.signal.aborted;
      while (isBusy() && performance.now() < deadline) await sleep(20);
      end();
      // A database that does not respond does not hold up the end.
      await Promise.race([loop.ended(), sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
