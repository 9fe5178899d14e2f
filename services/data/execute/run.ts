/**
 * Runs a request's statements in as few writes as can be: its settings, the function that is asked before it, and the main
 * statement. Nothing is answered before the transaction is committed.
 */
import {
  type Abandonment,
  type LargeRow,
  Pace,
  quoteIdentifier,
  type RawClient,
  type RawPool,
  type RawResult,
  type RawStatement,
  type RawValue,
  runRawBatch,
  type SegmentResult,
  type ShareHolder,
  shareKeyOf,
} from '@greenroom/postgres';
import { noteFailure, type Places } from './failure.ts';
import {
  MAIN_FORMATS,
  type Outcome,
  readEstimate,
  readLargeOutcome,
  readOutcome,
  readPlan,
} from './outcome.ts';
import { resetSession, type SessionReset } from './session-reset.ts';
import { type RequestSettings, settingsStatement } from './settings.ts';

/** Of a transaction. Read committed is what PostgreSQL does without being told. */
export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

/** What a request wants of the database. */
export interface RequestPlan {
  settings: RequestSettings;
  /**
   * Of the schema cache that it was made by. A prepared statement keeps the types that its parameters got when it was
   * parsed, whatever has become of the columns since.
   */
  generation: number;
  /** A function without arguments that is called first, and may refuse. */
  preRequest?: { schema: string | undefined; name: string } | undefined;
  /** A write of whose rows nothing is told, before the main statement and in the same transaction. */
  write?: { text: string; values: readonly RawValue[] } | undefined;
  /**
   * Answers one row of `MAIN_COLUMNS`, or, with `explains`, the lines of a plan (`EXPLAIN`). Its scope is the role and the
   * first schema of the search path. With a `pace`, a read may share a write with others.
   */
  main: { text: string; values: readonly RawValue[]; explains?: boolean; pace?: Pace | undefined };
  /** Asks PostgreSQL how many rows it expects, in JSON: `Outcome.estimatedCount`. */
  estimate?: { text: string; values: readonly RawValue[] } | undefined;
  isReadOnly: boolean;
  /** A function is called, or one may be by a trigger: it may leave settings behind. True for all writes. */
  runsFunctions?: boolean;
  /** The functions that are called may be run more than once: PostgreSQL is told that they are stable. */
  isRepeatable?: boolean;
  isolation?: Isolation | undefined;
  /** The client that it runs for. Without one, it may keep as many connections busy as there are. */
  holder?: ShareHolder | undefined;
  /**
   * How the transaction ends. `implicit`: it is committed in the same write. `after-check`: the row is looked at first,
   * and what `check` gives is thrown after everything has been undone. `rollback`: everything is undone, but only after
   * deferred constraints have been checked.
   */
  ending:
    | { kind: 'implicit' }
    | { kind: 'after-check'; check: (outcome: Outcome) => Error | undefined }
    | { kind: 'rollback'; check?: (outcome: Outcome) => Error | undefined };
}

/** A failure comes after all of them. */
const NOWHERE: Places = { settingsAt: -1, mainAt: -1, answerAt: -1 };
const COMMIT: RawStatement = { text: 'commit' };
const ROLLBACK: RawStatement = { text: 'rollback' };
const CHECK_CONSTRAINTS: RawStatement = { text: 'set constraints all immediate' };

/**
 * Runs a request on a connection of the pool. Throws pg's `DatabaseError` (`failedStage` tells where it came from), what a
 * check gives, `QueueFullError` where too many statements of its client wait, or the error of a lost connection. When
 * `signal` aborts, what runs is cancelled.
 *
 * A large body of a read is not waited for: it comes while it is sent, and until then the connection is not free.
 */
export function runRequest(pool: RawPool, plan: RequestPlan, signal?: Abandonment): Promise<Outcome> {
  if (!canStream(plan)) return runWhole(pool, plan, { signal });
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const run = canShare(plan) ? runShared : runWhole;
  run(pool, plan, { signal, onLarge: resolve }).then(resolve, reject);
  return promise;
}

/** Nothing that comes after the rows may make them worthless. */
function canStream({ isReadOnly, ending, main, estimate }: RequestPlan): boolean {
  return isReadOnly && ending.kind === 'implicit' && !main.explains && estimate === undefined;
}

/** It may be run twice. */
function canShare(plan: RequestPlan): boolean {
  const { main, isolation, preRequest, runsFunctions = false, isRepeatable = !runsFunctions } = plan;
  return main.pace !== undefined && isolation === undefined && preRequest === undefined && isRepeatable;
}

function mayLeaveSettings({ isReadOnly, runsFunctions = false, preRequest }: RequestPlan): boolean {
  return !isReadOnly || runsFunctions || preRequest !== undefined;
}

interface FlushOptions {
  signal: Abandonment | undefined;
  /** Told about an outcome whose body is still coming. */
  onLarge?: (outcome: Outcome) => void;
}

async function runWhole(pool: RawPool, plan: RequestPlan, options: FlushOptions): Promise<Outcome> {
  const { holder } = plan;
  const { signal } = options;
  if (holder === undefined) return runAlone(pool, plan, options);
  const release = pool.shares.tryAcquire(holder) ?? (await pool.shares.acquire(holder, signal));
  try {
    return await runAlone(pool, plan, options);
  } finally {
    release();
  }
}

function runAlone(pool: RawPool, plan: RequestPlan, options: FlushOptions): Promise<Outcome> {
  const { signal } = options;
  return pool.use(async (client) => {
    const flush = planFlush(client, plan);
    const { results, large } = await sendFlush(client, flush, { ...options, holder: plan.holder });
    const hasFailed = results.some(({ failure }) => failure !== undefined);
    // As long as a transaction is not committed, a reset in it is not either.
    if (plan.ending.kind === 'implicit' && !hasFailed) flush.reset.done();
    if (large !== undefined) return large;
    return finish(client, plan, flush, results, signal);
  });
}

/** Together with others; by itself where a prepared statement was out of date. */
async function runShared(pool: RawPool, plan: RequestPlan, options: FlushOptions): Promise<Outcome> {
  const { pace = new Pace() } = plan.main;
  const { signal, onLarge } = options;
  let flush: Flush | undefined;
  let large: Outcome | undefined;
  const { result } = await pool.read({
    write: (client) => {
      flush = planFlush(client, plan);
      return { statements: flush.segments[0] ?? [], streamed: flush.answerAt };
    },
    onLargeRow: (row) => {
      large = readLargeOutcome(row);
      onLarge?.(large);
    },
    pace,
    signal,
    holder: plan.holder,
  });
  const { failure, results } = result;
  if (flush === undefined) throw new Error('a read was answered that has not been written');
  if (failure === undefined) flush.reset.done();
  if (failure?.isStale) return runWhole(pool, plan, options);
  if (failure !== undefined) throw noteFailure(failure, flush);
  return large ?? outcomeOf(plan, results, flush);
}

/** One flush. The places are those of its first segment. */
interface Flush extends Places {
  segments: readonly (readonly RawStatement[])[];
  reset: SessionReset;
}

function planFlush(client: RawClient, plan: RequestPlan): Flush {
  const { settings, preRequest, ending, isReadOnly, isolation } = plan;
  const needsBlock = ending.kind !== 'implicit' || isolation !== undefined;
  const reset = resetSession(client, mayLeaveSettings(plan));
  client.prepared.useGeneration(plan.generation);
  const scope = `${settings.role} ${settings.searchPath[0] ?? ''}`;
  const first: RawStatement[] = needsBlock ? [beginStatement(isolation)] : [];
  first.push(...reset.statements);
  const settingsAt = first.length;
  first.push(settingsStatement(settings, isReadOnly));
  if (preRequest !== undefined) first.push(callStatement(preRequest, scope));
  const mainAt = first.length;
  if (plan.write !== undefined) first.push({ ...plan.write, scope });
  const answerAt = first.length;
  const { text, values, explains = false } = plan.main;
  first.push({ text, values, scope, formats: explains ? [] : MAIN_FORMATS });
  if (plan.estimate !== undefined) first.push({ ...plan.estimate, scope });
  const segments = [first];
  if (ending.kind === 'rollback') {
    first.push(CHECK_CONSTRAINTS);
    segments.push([ROLLBACK]);
  } else if (needsBlock && ending.kind === 'implicit') {
    segments.push([COMMIT]);
  }
  return { segments, reset, settingsAt, mainAt, answerAt };
}

function beginStatement(isolation: Isolation | undefined): RawStatement {
  return { text: isolation === undefined ? 'begin' : `begin isolation level ${isolation}` };
}

/** Without a schema, the search path says which function it is. */
function callStatement(
  { schema, name }: NonNullable<RequestPlan['preRequest']>,
  scope: string,
): RawStatement {
  const names = schema === undefined ? [name] : [schema, name];
  return { text: `select ${names.map(quoteIdentifier).join('.')}()`, scope };
}

/** Sends a flush, and once more where a prepared statement was out of date: all of it was undone. */
async function sendFlush(
  client: RawClient,
  { segments, answerAt }: Flush,
  { signal, onLarge, holder }: FlushOptions & Pick<RequestPlan, 'holder'>,
): Promise<{ results: SegmentResult[]; large: Outcome | undefined }> {
  let large: Outcome | undefined;
  const onLargeRow = (row: LargeRow) => {
    row.field.client = shareKeyOf(holder);
    large = readLargeOutcome(row);
    onLarge?.(large);
  };
  const send = () =>
    runRawBatch(client, segments, { signal, streamed: [answerAt], ...(onLarge && { onLargeRow }) });
  const results = await send();
  if (!results[0]?.failure?.isStale) return { results, large };
  if (results.at(-1)?.status !== 'I') await runRawBatch(client, [[ROLLBACK]]);
  return { results: await send(), large };
}

async function finish(
  client: RawClient,
  plan: RequestPlan,
  flush: Flush,
  results: readonly SegmentResult[],
  signal: Abandonment | undefined,
): Promise<Outcome> {
  const { ending } = plan;
  const [first, last] = results;
  if (first === undefined || first.failure !== undefined) {
    if (results.at(-1)?.status !== 'I') await runRawBatch(client, [[ROLLBACK]]);
    throw noteFailure(first?.failure, flush);
  }
  const outcome = outcomeOf(plan, first.results, flush);
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
  { main, estimate }: RequestPlan,
  results: readonly RawResult[],
  { answerAt }: Places,
): Outcome {
  const rows = results[answerAt]?.rows ?? [];
  if (main.explains) return readPlan(rows);
  const outcome = readOutcome(rows);
  if (estimate === undefined) return outcome;
  return { ...outcome, estimatedCount: readEstimate(results[answerAt + 1]?.rows ?? []) };
}

/** PostgreSQL answers COMMIT of a failed transaction with a ROLLBACK and no error. */
function requireCommitted(segment: SegmentResult | undefined): void {
  if (segment?.failure !== undefined) throw noteFailure(segment.failure, NOWHERE);
  const command = segment?.results[0]?.command;
  if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
}
