/** Why a new migration did not run. */
import type pg from 'pg';

/** The reason why a migration did not run. Nothing has changed. */
type MigrationRefusal =
  /** The SQL contains a statement that is not possible here, or cannot be split. */
  | 'statement'
  /** The name cannot be part of a file name. */
  | 'name'
  /** Another process applies migrations. */
  | 'busy'
  /** The files and the history of the project do not fit together. */
  | 'out-of-step'
  /** The file cannot be written. */
  | 'file'
  /** The guard returned another value. */
  | 'guard';

/** A migration did not run. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
  readonly reason: MigrationRefusal;
  /** The value that the guard returned. */
  readonly found: string | null | undefined;

  constructor(reason: MigrationRefusal, message: string, found?: string | null) {
    super(message);
    this.reason = reason;
    this.found = found;
  }
}

/** A statement failed: the cause is PostgreSQL's error. Nothing has changed. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
  /** Index of the statement; the number of statements means the commit. */
  readonly statement: number;
  /** Offset in the SQL; null if PostgreSQL names none. */
  readonly offset: number | null;
  declare readonly cause: pg.DatabaseError;

  constructor(cause: pg.DatabaseError, statement: number, offset: number | null) {
    super(cause.message, { cause });
    this.statement = statement;
    this.offset = offset;
  }
}
