/**
 * Runs several statements in one flush: writes all of them to the socket at once, followed by one Sync, and reads the
 * results as they arrive (PostgreSQL's extended query protocol, "Pipelining" in its documentation). The statements
 * before a Sync form one implicit transaction: an error skips the rest and rolls all of them back, unless the batch
 * itself contains BEGIN and COMMIT.
 */
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

/** One SQL statement. A `name` makes it a prepared statement of that name on each connection that runs it. */
export interface Statement {
  text: string;
  values?: readonly unknown[];
  name?: string;
  /** OIDs of the parameter types, if the server should not infer them from the text. */
  types?: readonly number[];
  /** The rows of `copy … from stdin`, in the format of the statement. */
  rows?: string;
}

/** The result of one statement. `command` is the command tag, e.g. `INSERT`. */
export interface StatementResult {
  command: string;
  rowCount: number;
  rows: Record<string, unknown>[];
}

/**
 * The part of pg's connection that a batch writes to. It is undocumented but stable, because pg's own cursors use it.
 */
interface WireConnection {
  stream: { cork(): void; uncork(): void };
  on(event: 'parseComplete', listener: () => void): void;
  parse(message: { name?: string; text: string; types?: readonly number[] }): void;
  bind(message: {
    statement?: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => unknown;
  }): void;
  describe(message: { type: 'P'; name: '' }): void;
  execute(message: { portal: '' }): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
  sync(): void;
}

/** The named statements that a connection has prepared, and the statements whose Parse has no response yet. */
interface PreparedState {
  known: Map<string, string>;
  parsing: Statement[];
}

const failedStatements = new WeakMap<Error, number>();

/**
 * Returns the index of the statement that failed, for an error of {@link runBatch}. It equals the number of statements if
 * the commit after the last one failed. Undefined for other errors, e.g. of the connection.
 */
export function failedStatementOf(error: Error): number | undefined {
  return failedStatements.get(error);
}

const preparedStates = new WeakMap<WireConnection, PreparedState>();

function preparedStateOf(connection: WireConnection): PreparedState {
  const existing = preparedStates.get(connection);
  if (existing) return existing;
  const state: PreparedState = { known: new Map(), parsing: [] };
  preparedStates.set(connection, state);
  connection.on('parseComplete', () => {
    const statement = state.parsing.shift();
    if (statement?.name) state.known.set(statement.name, statement.text);
  });
  return state;
}

/**
 * Runs statements on one connection in one flush; the results are in the order of the statements. Rejects with pg's
 * DatabaseError of the first statement that failed, or with the connection's error.
 */
export function runBatch(
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<StatementResult[]> {
  return new Promise((resolve, reject) => {
    client.query(new Batch(statements, resolve, reject) as unknown as pg.Submittable);
  });
}

/** pg's Submittable: pg calls `submit` to write the batch and a `handle…` method for each response. */
class Batch {
  readonly #statements: readonly Statement[];
  readonly #resolve: (results: StatementResult[]) => void;
  readonly #reject: (error: Error) => void;
  readonly #results: StatementResult[] = [];
  #current = newResult();

  constructor(
    statements: readonly Statement[],
    resolve: (results: StatementResult[]) => void,
    reject: (error: Error) => void,
  ) {
    this.#statements = statements;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: WireConnection): Error | null {
    const state = preparedStateOf(connection);
    // An error before this batch made the server skip Parse messages; it will never respond to them.
    state.parsing.length = 0;
    try {
      // All messages are planned before the first byte is written, so that a value that cannot be mapped never leaves
      // half a batch on the wire.
      const messages = planMessages(state.known, this.#statements);
      writeMessages(connection, state, messages);
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    this.#current.addFields(message.fields);
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.#current.addRow(this.#current.parseRow(message.fields));
  }

  handleCommandComplete(message: { text: string }): void {
    this.#current.addCommandComplete(message);
    this.#finishStatement();
  }

  handleEmptyQuery(): void {
    this.#finishStatement();
  }

  /** The rows of a statement are on the wire already; a statement without rows would wait forever. */
  handleCopyInResponse(connection: WireConnection): void {
    if (this.#statements[this.#results.length]?.rows === undefined)
      connection.sendCopyFail('the statement was sent without rows');
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#results);
  }

  handleError(error: Error): void {
    if (error instanceof pg.DatabaseError) failedStatements.set(error, this.#results.length);
    this.#reject(error);
  }

  #finishStatement(): void {
    const { command, rowCount, rows } = this.#current;
    this.#results.push({ command: command ?? '', rowCount: rowCount ?? 0, rows });
    this.#current = newResult();
  }
}

/** pg's own Result, which converts text values to JavaScript values by type. */
interface RowReader {
  command: string | null;
  rowCount: number | null;
  rows: Record<string, unknown>[];
  addFields(fields: pg.FieldDef[]): void;
  parseRow(fields: (string | null)[]): Record<string, unknown>;
  addRow(row: Record<string, unknown>): void;
  addCommandComplete(message: { text: string }): void;
}

function newResult(): RowReader {
  const Result = pg.Result as unknown as new (rowMode: string, types: typeof pg.types) => RowReader;
  return new Result('', pg.types);
}

/** One statement that is ready to be written. */
interface Message {
  statement: Statement;
  values: unknown[];
  parse: boolean;
}

function planMessages(known: ReadonlyMap<string, string>, statements: readonly Statement[]): Message[] {
  const names = new Map<string, string>();
  return statements.map((statement) => {
    const { name, text } = statement;
    const sameName = name === undefined ? undefined : (known.get(name) ?? names.get(name));
    if (sameName !== undefined && sameName !== text)
      throw new Error(`two statements with different texts have the name ${name}`);
    if (name !== undefined) names.set(name, text);
    const values = (statement.values ?? []).map((value) => prepareValue(value));
    return { statement, values, parse: sameName === undefined };
  });
}

function writeMessages(connection: WireConnection, state: PreparedState, messages: readonly Message[]): void {
  connection.stream.cork();
  for (const { statement, values, parse } of messages) {
    const { name, text, types = [] } = statement;
    if (parse) {
      connection.parse(name ? { name, text, types } : { text, types });
      state.parsing.push(statement);
    }
    connection.bind({ ...(name ? { statement: name } : {}), values, valueMapper: (value) => value });
    connection.describe({ type: 'P', name: '' });
    connection.execute({ portal: '' });
    if (statement.rows !== undefined) {
      connection.sendCopyFromChunk(Buffer.from(statement.rows));
      connection.endCopyFrom();
    }
  }
  connection.sync();
  connection.stream.uncork();
}
