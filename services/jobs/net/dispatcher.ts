/**
 * Sends the requests of the queue with a bounded concurrency. Each is removed from the queue in the transaction that stores its
 * response, so a request that a crash interrupts is sent again: delivery is at least once. Webhooks that fail are put aside in the
 * same transaction, and return to the queue for their next attempt.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@greenroom/log';
import type { JobsMetrics } from '../metrics.ts';
import type { Query } from '../query.ts';
import type { Work } from '../session.ts';
import { createWorkLoop } from '../work-loop.ts';
import { createAttempts } from './attempt.ts';
import { createClaims } from './claims.ts';
import { type MadeAttempt, type NextStep, nextStep } from './next-step.ts';
import { deleteExpired, hasTables, readQueue } from './queue.ts';
import { createRecorder } from './recorder.ts';
import { type QueuedRequest, type SendRequest, storedResponse } from './request.ts';
import { cleanUpWebhooks, countWebhooks } from './webhook-deliveries.ts';
import { createWebhookRetries } from './webhook-retries.ts';

/** Notifications wake the dispatcher; this is for rows that SQL inserts without one. */
const POLL_MS = 60_000;
const CLEAN_UP_EVERY_MS = 10 * 60_000;
/** Pause after the instance itself did not accept a request, or a statement failed. */
const RETRY_MS = 1000;
const FINISH_TIMEOUT_MS = 10_000;
const NOT_PROCESSED = 'the queue of HTTP requests could not be processed; it is retried';
/** A database that does not respond does not hold up the end. */
const END_TIMEOUT_MS = 1000;

/** Limits of the dispatcher. */
interface DispatcherLimits {
  maxConcurrentRequests: number;
  responseTtlMs: number;
  /** Pauses after the first, second… attempt of a webhook. */
  pausesMs: readonly number[];
  failedTtlMs: number;
}

/** Options of {@link createDispatcher}. */
interface DispatcherOptions {
  query: Query;
  /** Loads the function that sends requests; called for the first one. */
  loadSender: () => Promise<SendRequest>;
  limits: DispatcherLimits;
  metrics: Pick<JobsMetrics, 'ended' | 'inProgress' | 'countWebhooksBy'>;
  log: Pick<Logger, 'warn'>;
}

/** Creates a dispatcher, which works when it is woken. */
export function createDispatcher(options: DispatcherOptions): Work {
  const { query, loadSender, limits, metrics, log } = options;
  const stop = new AbortController();
  const recorder = createRecorder(query, log);
  const attempts = createAttempts({ loadSender, stop: stop.signal });
  const loop = createWorkLoop({ step, onError, retryMs: RETRY_MS, stop: stop.signal });
  const retries = createWebhookRetries({ query, onDue: () => loop.request() });
  const claims = createClaims(limits.maxConcurrentRequests);
  const cleanUp = createCleanUp(options);
  let isFinishing = false;
  let isInstalled = false;

  async function step(): Promise<void> {
    if (!isInstalled) isInstalled = await hasTables(query);
    if (isInstalled) await recorder.flush(claims.release);
    else claims.release(recorder.clear());
    metrics.inProgress.set(claims.size());
    if (!isInstalled || isFinishing) return;
    await startDue();
    await cleanUp();
  }

  async function onError({ message }: Error): Promise<void> {
    isInstalled = false;
    claims.expectMore();
    retries.check();
    if (await mayHaveTables(query)) log.warn({ reason: message }, NOT_PROCESSED);
  }

  async function startDue(): Promise<void> {
    const limit = limits.maxConcurrentRequests - claims.size();
    if (limit <= 0) return;
    const room = claims.room();
    if (await retries.start(room.full)) claims.expectMore();
    if (!claims.mayHaveMore()) return;
    claims.beginRead(room);
    const due = await readQueue(query, { inProgress: claims.keys(), limit, hosts: room });
    if (due.length === 0) return;
    // Fewer rows than requested may also be due to the size of bodies, or the room of hosts.
    claims.expectMore();
    for (const request of due) {
      claims.add(request);
      void send(request);
    }
    metrics.inProgress.set(claims.size());
    if (claims.size() < limits.maxConcurrentRequests) loop.request();
  }

  async function send(request: QueuedRequest): Promise<void> {
    const outcome = await attempts.send(request);
    if (stop.signal.aborted) return;
    if (outcome.kind === 'not-sent') {
      await sleep(RETRY_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
      claims.release([request.key]);
      wake();
      return;
    }
    metrics.ended.inc({ outcome: outcome.kind });
    claims.report(request.host, ['response', 'refused'].includes(outcome.kind));
    const step = webhookStep(request, outcome, options);
    if (step?.state === 'waiting') retries.check();
    recorder.add({ key: request.key, response: storedResponse(request.id, outcome), step });
    loop.request();
  }

  function wake(): void {
    if (isFinishing) return;
    claims.expectMore();
    retries.check();
    loop.request();
  }

  metrics.countWebhooksBy(() => countWebhooks(query));
  const poll = setInterval(wake, POLL_MS).unref();
  const end = () => {
    clearInterval(poll);
    retries.end();
    metrics.countWebhooksBy(undefined);
    stop.abort();
    metrics.inProgress.set(0);
  };
  return {
    wake,
    abort: end,
    async finish() {
      isFinishing = true;
      await waitWhile(() => claims.size() > attempts.notSent() && !stop.signal.aborted);
      end();
      await Promise.race([loop.ended(), sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** Returns false if the extension was dropped, which explains a failed statement. */
function mayHaveTables(query: Query): Promise<boolean> {
  return hasTables(query).catch(() => true);
}

async function waitWhile(isBusy: () => boolean): Promise<void> {
  const deadline = performance.now() + FINISH_TIMEOUT_MS;
  while (isBusy() && performance.now() < deadline) await sleep(20);
}

/** Returns a function that deletes expired responses and failed webhooks, at most every ten minutes. */
function createCleanUp({ query, limits }: DispatcherOptions): () => Promise<void> {
  let cleanedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - cleanedAt < CLEAN_UP_EVERY_MS) return;
    cleanedAt = performance.now();
    await deleteExpired(query, limits.responseTtlMs);
    await cleanUpWebhooks(query, limits.failedTtlMs);
  };
}

/** Returns the next step of a webhook, and logs its final failure; undefined for other requests. */
function webhookStep(
  { webhook, host }: QueuedRequest,
  outcome: MadeAttempt,
  { limits: { pausesMs }, log }: Pick<DispatcherOptions, 'limits' | 'log'>,
): NextStep | undefined {
  if (webhook === undefined) return undefined;
  const { id, hook, attempts } = webhook;
  const step = nextStep(outcome, { attempts, pausesMs, random: Math.random() });
  if (step.state === 'failed')
    log.warn(
      { webhook: id, hook, host, attempts: attempts + 1, reason: step.reason },
      'a database webhook has failed; "greenroom webhooks replay" sends it again',
    );
  return step;
}
