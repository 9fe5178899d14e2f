/**
 * Several statements in one write, like {@link ./batch.ts}, for the hot path: statements are prepared under names that are
 * chosen here, results are bytes as the server has sent them, and a batch may consist of several segments, and of several
 * parts that do not know of each other.
 * A segment ends with a Sync. Unless it says BEGIN and COMMIT it is one implicit transaction: an error in it skips what is
 * left of it and undoes it, and the next segment runs as if nothing had happened.
 */
import type pg from 'pg';
import { sendCancelRequest } from './raw-batch/cancel.ts';
import type { CancelSignal } from './raw-batch/cancel-signal.ts';
import type { RawClient, RawReceiver } from './raw-batch/client.ts';
import {
  MESSAGE,
  type RawRow,
  readCommandTag,
  readError,
  readRow,
  readTransactionStatus,
  type TransactionStatus,
} from './raw-batch/decode.ts';
import type { FlushWriter, RawValue, ResultFormats } from './raw-batch/encode.ts';
import { type LargeRow, LargeRowReader } from './raw-batch/large-field.ts';
import { MAX_PREPARED_CHARACTERS, type StatementKey } from './raw-batch/prepared.ts';
import type { TakePiece } from './raw-batch/split.ts';

/** One statement. */
export interface RawStatement {
  text: string;
  values?: readonly RawValue[];
  /** Role and schema, or whatever else should have a prepared statement of its own for the same text. */
  scope?: string;
  /** Formats of the result's columns; text where none are given. */
  formats?: ResultFormats;
  /** False for a statement that is not worth a prepared one. One with a very long text is never prepared. */
  isPrepared?: boolean;
}

/** What one statement answered. `command` is the command tag, e.g. `INSERT 0 1`; rows given to `onRow` are not in it. */
export interface RawResult {
  command: string;
  rows: RawRow[];
}

/** Why a segment failed. */
export interface SegmentFailure {
  error: pg.DatabaseError;
  /** The statement's place in its segment; the number of statements where only the end of the transaction failed. */
  statement: number;
  /**
   * The statement was prepared earlier and cannot be run as it was: another type of result, or it is gone. It has been
   * forgotten, and the same segment may be sent once more.
   */
  isStale: boolean;
}

/** What became of one segment. Of a failed one, `results` has those of the statements before the failure. */
export interface SegmentResult {
  results: RawResult[];
  failure: SegmentFailure | undefined;
  status: TransactionStatus;
}

/** Segments that belong together, among others in one write. */
interface RawPart {
  segments: readonly (readonly RawStatement[])[];
  /**
   * Takes a large row of the statements at `streamed` of the first segment, instead of the result, as soon as its last
   * field has begun to come. Until that has been taken or destroyed, the batch does not go on.
   */
  onLargeRow?: ((row: LargeRow, statement: number) => void) | undefined;
  streamed?: readonly number[] | undefined;
  /** Told when all of its segments have ended, failed ones included. */
  onEnd: (results: SegmentResult[]) => void;
}

/** Options of {@link runRawBatch}. */
interface RawBatchOptions extends Pick<RawPart, 'onLargeRow' | 'streamed'> {
  /** When it aborts, the server is asked to cancel what runs. The batch settles as ever, mostly with error 57014. */
  signal?: CancelSignal | undefined;
}

/** A cancel request that arrives before the server has begun is ignored by it: after so long, another one is sent. */
const CANCEL_AGAIN_MS = 500;

/**
 * Runs segments on one connection in one write. Resolves when all of them have ended, failed ones included; rejects when
 * the connection is lost, when a statement cannot be written (nothing is, then), or with the reason of a signal that had
 * aborted before.
 */
export async function runRawBatch(
  client: RawClient,
  segments: readonly (readonly RawStatement[])[],
  { signal, onLargeRow, streamed }: RawBatchOptions = {},
): Promise<SegmentResult[]> {
  if (signal?.aborted) throw signal.reason;
  let results: SegmentResult[] = [];
  const onEnd = (ended: SegmentResult[]) => {
    results = ended;
  };
  const running = runRawParts(client, [{ segments, onLargeRow, streamed, onEnd }]);
  await (signal === undefined ? running : cancelOnAbort(client, running, signal));
  return results;
}

/** Runs parts one after the other, in one write. Resolves when all have ended; rejects like {@link runRawBatch}. */
export function runRawParts(client: RawClient, parts: readonly RawPart[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.query(new RawBatch(client, parts, resolve, reject) as unknown as pg.Submittable);
  return promise;
}

/** The connection is given back only when the cancel request is over, so that it cannot meet somebody else's query. */
async function cancelOnAbort<T>(client: pg.Client, running: Promise<T>, signal: CancelSignal): Promise<T> {
  // Made when it is needed: hardly any request is cancelled, and all of them come by here.
  let ended: AbortController | undefined;
  let canceling: Promise<void> | undefined;
  const onAbort = () => {
    ended = new AbortController();
    canceling = cancelUntilEnded(client, ended.signal);
  };
  signal.onabort = onAbort;
  try {
    return await running;
  } finally {
    signal.onabort = null;
    ended?.abort();
    await canceling;
  }
}

/** Asks the server to cancel what runs on a connection, again and again until that has ended. */
export async function cancelUntilEnded(client: pg.Client, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await sendCancelRequest(client);
    if (!ended.aborted) await delay(CANCEL_AGAIN_MS, ended);
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** One statement of a segment, as it was written. */
interface Sent {
  /** Of a statement that is prepared under a name. */
  key: StatementKey | undefined;
  name: string;
  parsed: boolean;
}

/** pg's Submittable. pg itself sees only the last ReadyForQuery, and the loss of the connection. */
class RawBatch implements RawReceiver {
  readonly #client: RawClient;
  readonly #parts: readonly RawPart[];
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;
  /** By part, then by segment. */
  readonly #sent: Sent[][][] = [];
  /** The part whose answers are coming in. */
  #part = 0;
  /** Of that part. */
  #done: SegmentResult[] = [];
  /** Of the segment whose answers are coming in. */
  #segment: readonly Sent[] = [];
  #results: RawResult[] = [];
  #rows: RawRow[] = [];
  #failure: SegmentFailure | undefined;
  #large: LargeRowReader | undefined;

  constructor(
    client: RawClient,
    parts: readonly RawPart[],
    resolve: () => void,
    reject: (error: Error) => void,
  ) {
    this.#client = client;
    this.#parts = parts;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(): Error | null {
    try {
      const flush = this.#write();
      this.#client.receiver = this;
      this.#startSegment();
      this.#client.write(flush);
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  handleReadyForQuery(): void {
    this.#resolve();
  }

  /** The connection is lost. What the server said before it closed it tells more than that it was closed. */
  handleError(error: Error): void {
    this.#client.receiver = undefined;
    this.#large?.fail(error);
    this.#reject(this.#failure?.error ?? error);
  }

  #write(): Buffer {
    const { prepared, writer } = this.#client;
    writer.start();
    for (const name of prepared.takeUnwanted()) writer.close(name);
    for (const { segments } of this.#parts) {
      this.#sent.push(segments.map((statements) => this.#writeSegment(writer, statements)));
    }
    return writer.finish();
  }

  #writeSegment(writer: FlushWriter, statements: readonly RawStatement[]): Sent[] {
    // An error keeps what is left of a segment from being prepared: none relies on another.
    const sent: Sent[] = [];
    for (const statement of statements) sent.push(this.#writeStatement(writer, statement, sent));
    writer.sync();
    return sent;
  }

  /** `before` are those of the same segment. */
  #writeStatement(writer: FlushWriter, statement: RawStatement, before: readonly Sent[]): Sent {
    const { text, values = [], formats = [] } = statement;
    const { prepared, preparesStatements } = this.#client;
    const isGiant = text.length > MAX_PREPARED_CHARACTERS;
    if (isGiant) this.#client.giantCharacters += text.length;
    const isPrepared = preparesStatements && statement.isPrepared !== false && !isGiant;
    const key = isPrepared ? statement : undefined;
    const known = key && (prepared.find(key) ?? nameOf(key, before));
    const name = known ?? (isPrepared ? prepared.newName() : '');
    if (known === undefined) writer.parse(name, text);
    writer.bind(name, values, formats);
    writer.execute();
    return { key, name, parsed: known === undefined };
  }

  #startSegment(): void {
    this.#segment = this.#sent[this.#part]?.[this.#done.length] ?? [];
    this.#results = [];
    this.#rows = [];
    this.#failure = undefined;
  }

  receive(bytes: Buffer, start: number, end: number): boolean {
    switch (bytes[start]) {
      case MESSAGE.parseComplete:
        this.#parseCompleted();
        return false;
      case MESSAGE.dataRow:
        this.#rows.push(readRow(bytes, start));
        return false;
      case MESSAGE.commandComplete:
        this.#finishStatement(readCommandTag(bytes, start, end));
        return false;
      case MESSAGE.emptyQuery:
        this.#finishStatement('');
        return false;
      case MESSAGE.error:
        this.#fail(readError(bytes, start, end));
        return false;
      case MESSAGE.readyForQuery:
        return this.#finishSegment(readTransactionStatus(bytes, start));
      default:
        // BindComplete, CloseComplete: nothing depends on them.
        return false;
    }
  }

  #parseCompleted(): void {
    const statement = this.#current;
    if (statement?.key !== undefined) this.#client.prepared.add(statement.key, statement.name);
  }

  takeLarge(type: number): TakePiece | undefined {
    const { onLargeRow, streamed = [] } = this.#parts[this.#part] ?? {};
    const statement = this.#results.length;
    const isWanted = this.#done.length === 0 && streamed.includes(statement);
    if (type !== MESSAGE.dataRow || !isWanted || onLargeRow === undefined) return undefined;
    const large = new LargeRowReader(
      this.#client,
      (row) => onLargeRow(row, statement),
      (message) => this.receive(message, 0, message.length),
    );
    this.#large = large;
    return (piece, isLast) => large.receive(piece, isLast);
  }

  #finishStatement(command: string): void {
    this.#results.push({ command, rows: this.#rows });
    this.#rows = [];
  }

  #fail(error: pg.DatabaseError): void {
    const isStale = this.#forgetStale(error, this.#current);
    this.#failure = { error, statement: this.#results.length, isStale };
  }

  #forgetStale({ code, routine }: pg.DatabaseError, sent: Sent | undefined): boolean {
    const { prepared } = this.#client;
    if (sent?.key === undefined) return false;
    // duplicate_prepared_statement: a function has run PREPARE. The next name will be another one.
    if (code === '42P05') return sent.parsed;
    // invalid_sql_statement_name: a function has run DEALLOCATE, perhaps of all.
    if (code === '26000' && !sent.parsed) {
      prepared.clear();
      return true;
    }
    // feature_not_supported: "cached plan must not change result type". The routine is told in every language.
    if (code !== '0A000' || routine !== 'RevalidateCachedQuery') return false;
    prepared.remove(sent.key);
    return !sent.parsed;
  }

  /** The statement whose answers are coming in; none where only the end of the transaction is missing. */
  get #current(): Sent | undefined {
    return this.#segment[this.#results.length];
  }

  /** Tells whether that was the last one of all. */
  #finishSegment(status: TransactionStatus): boolean {
    this.#done.push({ results: this.#results, failure: this.#failure, status });
    const part = this.#parts[this.#part];
    if (part !== undefined && this.#done.length === part.segments.length) {
      part.onEnd(this.#done);
      this.#part += 1;
      this.#done = [];
      if (this.#part === this.#parts.length) return true;
    }
    this.#startSegment();
    return false;
  }
}

/** What a statement was called that has been written but not answered yet. */
function nameOf({ scope, text }: StatementKey, sent: readonly Sent[]): string | undefined {
  if (sent.length === 0) return undefined;
  return sent.find(({ key }) => key?.text === text && key.scope === scope)?.name;
}
