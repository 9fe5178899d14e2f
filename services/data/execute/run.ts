/**
 * The execute stage: runs the transaction of a request in as few flushes as possible: its settings, the pre-request
 * function and its statements. The outcome of a write is returned only after the commit.
 */
import {
  type CancelSignal,
  type LargeRow,
  quoteIdentifier,
  type RawClient,
  type RawPool,
  type RawResult,
  type RawStatement,
  runRawBatch,
  type SegmentResult,
  StatementLatency,
  shareKeyOf,
} from '@greenroom/postgres';
import { recordFailure, type StatementIndexes } from './failure.ts';
import {
  MAIN_FORMATS,
  type Outcome,
  readEstimate,
  readLargeOutcome,
  readOutcome,
  readPlan,
} from './outcome.ts';
import { resetSession, type SessionReset } from './session-reset.ts';
import { type Isolation, settingsStatement } from './settings.ts';
import type { Transaction } from './transaction.ts';

/** The indexes for a segment that only commits: any failure counts as the stage `commit`. */
const COMMIT_ONLY: StatementIndexes = { settingsAt: -1, mainAt: -1, outcomeAt: -1 };
const COMMIT: RawStatement = { text: 'commit' };
const ROLLBACK: RawStatement = { text: 'rollback' };
const CHECK_CONSTRAINTS: RawStatement = { text: 'set constraints all immediate' };

/**
 * Runs a transaction on a connection of the pool. When `signal` aborts, the running statement is cancelled.
 *
 * A large body of a read is streamed: the promise resolves before the body has been received, and the connection is busy
 * until then.
 * @throws pg's `DatabaseError` (`failedStage` returns its stage), the error that the check of the ending returns,
 *   `QueueFullError` if too many statements of the client are queued, and the error of a lost connection
 */
export function runTransaction(
  pool: RawPool,
  transaction: Transaction,
  signal?: CancelSignal,
): Promise<Outcome> {
  if (!canStream(transaction)) return runWhole(pool, transaction, { signal });
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const run = canShare(transaction) ? runShared : runWhole;
  run(pool, transaction, { signal, onLarge: resolve }).then(resolve, reject);
  return promise;
}

/** Streams only if nothing after the rows can fail the request. */
function canStream({ isReadOnly, ending, main, estimate }: Transaction): boolean {
  return isReadOnly && ending.kind === 'implicit' && !main.explains && estimate === undefined;
}

/** A read that shares a flush with other requests may be cancelled and retried, so it must be repeatable. */
function canShare(transaction: Transaction): boolean {
  const { main, isolation, preRequest, runsFunctions = false, isRepeatable = !runsFunctions } = transaction;
  return main.latency !== undefined && isolation === undefined && preRequest === undefined && isRepeatable;
}

function mayLeaveSettings({ isReadOnly, runsFunctions = false, preRequest }: Transaction): boolean {
  return !isReadOnly || runsFunctions || preRequest !== undefined;
}

interface FlushOptions {
  signal: CancelSignal | undefined;
  /** Called with an outcome whose body is still being received. */
  onLarge?: (outcome: Outcome) => void;
}

async function runWhole(pool: RawPool, transaction: Transaction, options: FlushOptions): Promise<Outcome> {
  const { holder } = transaction;
  const { signal } = options;
  if (holder === undefined) return runAlone(pool, transaction, options);
  const release = pool.shares.tryAcquire(holder) ?? (await pool.shares.acquire(holder, signal));
  try {
    return await runAlone(pool, transaction, options);
  } finally {
    release();
  }
}

function runAlone(pool: RawPool, transaction: Transaction, options: FlushOptions): Promise<Outcome> {
  const { signal } = options;
  return pool.use(async (client) => {
    const flush = planFlush(client, transaction);
    const { results, large } = await sendFlush(client, flush, { ...options, holder: transaction.holder });
    const hasFailed = results.some(({ failure }) => failure !== undefined);
    // A reset takes effect only with the commit, so an explicit transaction has not completed it yet.
    if (transaction.ending.kind === 'implicit' && !hasFailed) flush.reset.done();
    if (large !== undefined) return large;
    return finish(client, transaction, flush, results, signal);
  });
}

/** Runs a read in a flush shared with other requests. Retries it in its own flush if a prepared statement was stale. */
async function runShared(pool: RawPool, transaction: Transaction, options: FlushOptions): Promise<Outcome> {
  const { latency = new StatementLatency() } = transaction.main;
  const { signal, onLarge } = options;
  let flush: Flush | undefined;
  let large: Outcome | undefined;
  const { result } = await pool.read({
    write: (client) => {
      flush = planFlush(client, transaction);
      return { statements: flush.segments[0] ?? [], streamed: flush.outcomeAt };
    },
    onLargeRow: (row) => {
      large = readLargeOutcome(row);
      onLarge?.(large);
    },
    latency,
    signal,
    holder: transaction.holder,
  });
  const { failure, results } = result;
  if (flush === undefined) throw new Error('a read has a result, but was never written');
  if (failure === undefined) flush.reset.done();
  if (failure?.isStale) return runWhole(pool, transaction, options);
  if (failure !== undefined) throw recordFailure(failure, flush);
  return large ?? outcomeOf(transaction, results, flush);
}

/** The statements of one flush. The indexes refer to its first segment. */
interface Flush extends StatementIndexes {
  segments: readonly (readonly RawStatement[])[];
  reset: SessionReset;
}

function planFlush(client: RawClient, transaction: Transaction): Flush {
  const { settings, preRequest, ending, isReadOnly, isolation } = transaction;
  const needsBlock = ending.kind !== 'implicit' || isolation !== undefined;
  const reset = resetSession(client, mayLeaveSettings(transaction));
  client.prepared.useGeneration(transaction.generation);
  const scope = `${settings.role} ${settings.searchPath[0] ?? ''}`;
  const first: RawStatement[] = needsBlock ? [beginStatement(isolation)] : [];
  first.push(...reset.statements);
  const settingsAt = first.length;
  first.push(settingsStatement(settings, isReadOnly));
  if (preRequest !== undefined) first.push(callStatement(preRequest, scope));
  const mainAt = first.length;
  if (transaction.write !== undefined) first.push({ ...transaction.write, scope });
  const outcomeAt = first.length;
  const { text, values, explains = false } = transaction.main;
  first.push({ text, values, scope, formats: explains ? [] : MAIN_FORMATS });
  if (transaction.estimate !== undefined) first.push({ ...transaction.estimate, scope });
  const segments = [first];
  if (ending.kind === 'rollback') {
    first.push(CHECK_CONSTRAINTS);
    segments.push([ROLLBACK]);
  } else if (needsBlock && ending.kind === 'implicit') {
    segments.push([COMMIT]);
  }
  return { segments, reset, settingsAt, mainAt, outcomeAt };
}

function beginStatement(isolation: Isolation | undefined): RawStatement {
  return { text: isolation === undefined ? 'begin' : `begin isolation level ${isolation}` };
}

/** A name without a schema is resolved by the search path. */
function callStatement(
  { schema, name }: NonNullable<Transaction['preRequest']>,
  scope: string,
): RawStatement {
  const names = schema === undefined ? [name] : [schema, name];
  return { text: `select ${names.map(quoteIdentifier).join('.')}()`, scope };
}

/** Sends a flush. Retries once if a prepared statement was stale, because the failure rolled back the whole flush. */
async function sendFlush(
  client: RawClient,
  { segments, outcomeAt }: Flush,
  { signal, onLarge, holder }: FlushOptions & Pick<Transaction, 'holder'>,
): Promise<{ results: SegmentResult[]; large: Outcome | undefined }> {
  let large: Outcome | undefined;
  const onLargeRow = (row: LargeRow) => {
    row.field.client = shareKeyOf(holder);
    large = readLargeOutcome(row);
    onLarge?.(large);
  };
  const send = () =>
    runRawBatch(client, segments, { signal, streamed: [outcomeAt], ...(onLarge && { onLargeRow }) });
  const results = await send();
  if (!results[0]?.failure?.isStale) return { results, large };
  if (results.at(-1)?.status !== 'I') await runRawBatch(client, [[ROLLBACK]]);
  return { results: await send(), large };
}

async function finish(
  client: RawClient,
  transaction: Transaction,
  flush: Flush,
  results: readonly SegmentResult[],
  signal: CancelSignal | undefined,
): Promise<Outcome> {
  const { ending } = transaction;
  const [first, last] = results;
  if (first === undefined || first.failure !== undefined) {
    if (results.at(-1)?.status !== 'I') await runRawBatch(client, [[ROLLBACK]]);
    throw recordFailure(first?.failure, flush);
  }
  const outcome = outcomeOf(transaction, first.results, flush);
  if (ending.kind === 'after-check') {
    const refusal = signal?.aborted ? (signal.reason as Error) : ending.check(outcome);
    const [end] = await runRawBatch(client, [[refusal === undefined ? COMMIT : ROLLBACK]]);
    if (refusal !== undefined) throw refusal;
    requireCommitted(end);
  } else if (ending.kind === 'rollback') {
    const refusal = ending.check?.(outcome);
    if (refusal !== undefined) throw refusal;
  } else if (flush.segments.length > 1) {
    requireCommitted(last);
  }
  return outcome;
}

function outcomeOf(
  { main, estimate }: Transaction,
  results: readonly RawResult[],
  { outcomeAt }: StatementIndexes,
): Outcome {
  const rows = results[outcomeAt]?.rows ?? [];
  if (main.explains) return readPlan(rows);
  const outcome = readOutcome(rows);
  if (estimate === undefined) return outcome;
  return { ...outcome, estimatedCount: readEstimate(results[outcomeAt + 1]?.rows ?? []) };
}

/** PostgreSQL responds to COMMIT of a failed transaction with ROLLBACK and no error. */
function requireCommitted(segment: SegmentResult | undefined): void {
  if (segment?.failure !== undefined) throw recordFailure(segment.failure, COMMIT_ONLY);
  const command = segment?.results[0]?.command;
  if (command !== 'COMMIT') throw new Error(`COMMIT returned ${command}`);
}
