/** Runs the command of a job like libpq's PQsendQuery: several statements are one transaction unless they contain BEGIN. */
import pg from 'pg';
import { errorText } from './error-text.ts';

/** The end of a run. */
export interface Outcome {
  status: 'succeeded' | 'failed';
  /** Text for `return_message`. */
  message: string;
  /** SQLSTATE of the error, if PostgreSQL reported one. */
  code?: string | undefined;
}

const COPY_NOT_SUPPORTED: Outcome = { status: 'failed', message: 'COPY not supported' };
const CONNECTION_LOST: Outcome = { status: 'failed', message: 'connection lost' };

/** The part of pg's connection that a command writes to. */
interface WireConnection {
  query(text: string): void;
  sendCopyFail(message: string): void;
}

/** Runs a command. Rows are counted and discarded. Never rejects. */
export function runCommand(client: pg.Client, text: string): Promise<Outcome> {
  return new Promise((resolve) => {
    client.query(new Command(text, resolve) as unknown as pg.Submittable);
  });
}

/** pg's Submittable: pg calls `submit` to write the command and a `handle…` method for each response. */
class Command {
  readonly #text: string;
  readonly #resolve: (outcome: Outcome) => void;
  /** Undefined: the current statement returns no rows. */
  #rows: number | undefined;
  #outcome: Outcome = { status: 'succeeded', message: '' };

  constructor(text: string, resolve: (outcome: Outcome) => void) {
    this.#text = text;
    this.#resolve = resolve;
  }

  submit(connection: WireConnection): null {
    connection.query(this.#text);
    return null;
  }

  handleRowDescription(): void {
    this.#rows = 0;
  }

  handleDataRow(): void {
    this.#rows = (this.#rows ?? 0) + 1;
  }

  handleCommandComplete(message: { text: string }): void {
    this.#succeed(this.#rows === undefined ? message.text : rowsText(this.#rows));
    this.#rows = undefined;
  }

  handleEmptyQuery(): void {
    this.#succeed(rowsText(0));
  }

  handleCopyInResponse(connection: WireConnection): void {
    this.#outcome = COPY_NOT_SUPPORTED;
    connection.sendCopyFail(COPY_NOT_SUPPORTED.message);
  }

  handleCopyData(): void {
    this.#outcome = COPY_NOT_SUPPORTED;
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#outcome);
  }

  handleError(error: Error): void {
    this.#resolve(this.#outcome.status === 'failed' ? this.#outcome : failureOf(error, this.#text));
  }

  /** The last statement decides, except after a failure. */
  #succeed(message: string): void {
    if (this.#outcome.status === 'succeeded') this.#outcome = { status: 'succeeded', message };
  }
}

function failureOf(error: Error, text: string): Outcome {
  if (!(error instanceof pg.DatabaseError)) return CONNECTION_LOST;
  return { status: 'failed', message: errorText(error, text), code: error.code };
}

function rowsText(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}
