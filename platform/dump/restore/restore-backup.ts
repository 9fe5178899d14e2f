/** Restores a logical backup: the SQL of pg_dump or pg_dumpall, also compressed by gzip. */

import { queryError } from '@greenroom/project/sql';
import {
  openScriptConnection,
  readScript,
  type ScriptCommand,
  type ScriptConnection,
  ScriptError,
  type ScriptReader,
  type ScriptStatement,
} from '@greenroom/psql';
import { classify, type Treatment } from './classify.ts';
import { revokeDefaultPrivileges } from './default-privileges.ts';
import { treatRows, withColumns } from './platform-rows.ts';

/** Options of {@link restoreBackup}. */
interface RestoreOptions {
  /** Connection URL of the owner of a new database with the migrations of the services. */
  url: string;
  /** Path of the backup. */
  path: string;
}

/** The result of a restored backup. */
interface Restored {
  /** Number of statements that ran. */
  statements: number;
  /** Number of statements about the platform that were left out. */
  skipped: number;
  /** A line about each table whose rows were left out. */
  omitted: readonly string[];
}

/** The only database of an instance. */
const DATABASE = 'postgres';
const DEFAULT_PRIVILEGES = /^alter\s+default\s+privileges\b/i;
/** Commands of psql in dumps that need no effect here: no other command can run while a backup is restored. */
const RESTRICTIONS: readonly string[] = ['restrict', 'unrestrict'];

/**
 * Runs the statements of a backup as the owner of the database, each by itself; the caller discards the database if one of
 * them fails. Objects have the rights that the backup gives them; default privileges of a new database stay only if the
 * backup has none. Triggers and foreign keys do not run, as rows of several tables are written in the order of the backup.
 * @throws ScriptError with the line of the statement that failed
 */
export async function restoreBackup({ url, path }: RestoreOptions): Promise<Restored> {
  const connection = await openScriptConnection({
    url: withoutTriggers(url),
    applicationName: 'greenroom db start',
    onNotice: () => {},
  });
  try {
    const defaults = await revokeDefaultPrivileges(connection);
    const restore = new Restore(connection, path);
    const restored = await restore.run();
    if (!restore.hasDefaultPrivileges) for (const grant of defaults) await connection.run(grant);
    return restored;
  } finally {
    await connection.close();
  }
}

/** As an option of the connection, because dumps contain `reset all`. */
function withoutTriggers(url: string): string {
  const target = new URL(url);
  target.searchParams.set('options', '-c session_replication_role=replica');
  return target.href;
}

class Restore {
  readonly #connection: ScriptConnection;
  readonly #path: string;
  #statements = 0;
  #skipped = 0;
  readonly #omitted: string[] = [];
  /** Databases that the backup connects to. */
  readonly #databases = new Set<string>();
  /** Whether the backup decides about the rights on objects that are created later. */
  hasDefaultPrivileges = false;
  /** Whether the current part of the backup is about the database of the instance. */
  #isOwnDatabase = true;

  constructor(connection: ScriptConnection, path: string) {
    this.#connection = connection;
    this.#path = path;
  }

  async run(): Promise<Restored> {
    await using reader = await readScript(this.#path);
    for (;;) {
      const item = await reader.next();
      if (item === undefined) break;
      if (item.kind === 'command') this.#runCommand(item);
      else await this.#runStatement(item, reader);
    }
    if (this.#databases.size > 0 && !this.#databases.has(DATABASE))
      throw new ScriptError(
        `${this.#path} has no part for the database "${DATABASE}", only for ${[...this.#databases].join(', ')}. ` +
          'Dump the database by itself, without --create.',
      );
    if (this.#statements === 0) throw new ScriptError(`${this.#path} contains no statements.`);
    return { statements: this.#statements, skipped: this.#skipped, omitted: this.#omitted };
  }

  #runCommand({ name, argumentText, line }: ScriptCommand): void {
    if (RESTRICTIONS.includes(name)) return;
    if (!['c', 'connect'].includes(name))
      throw new ScriptError(
        `${this.#path}, line ${line}: the command \\${name} of psql cannot be part of a backup. ` +
          'Allowed: \\connect, \\restrict and \\unrestrict.',
      );
    const database = databaseOf(argumentText);
    this.#databases.add(database);
    this.#isOwnDatabase = database === DATABASE;
  }

  async #runStatement(statement: ScriptStatement, reader: ScriptReader): Promise<void> {
    const treatment: Treatment = this.#isOwnDatabase ? classify(statement.text) : { kind: 'skip' };
    this.hasDefaultPrivileges ||= this.#isOwnDatabase && DEFAULT_PRIVILEGES.test(statement.text);
    try {
      if (treatment.kind === 'skip') await this.#skip(statement, reader);
      else if (treatment.kind === 'rows') await this.#writePlatformRows(statement, treatment, reader);
      else await this.#execute(treatment.sql, statement.hasRows ? reader.rows() : undefined);
    } catch (error) {
      if (treatment.kind === 'tolerate' && isTolerated(error, treatment.states)) this.#skipped++;
      else throw this.#explain(error, statement);
    }
  }

  async #skip({ hasRows }: ScriptStatement, reader: ScriptReader): Promise<void> {
    if (hasRows) for await (const _ of reader.rows());
    this.#skipped++;
  }

  async #execute(sql: string, rows: AsyncIterable<string> | undefined): Promise<void> {
    if (rows) await this.#connection.copy(sql, rows);
    else await this.#connection.run(sql);
    this.#statements++;
  }

  async #writePlatformRows(
    statement: ScriptStatement,
    treatment: Treatment & { kind: 'rows' },
    reader: ScriptReader,
  ): Promise<void> {
    const { table } = treatment;
    const found = await treatRows(this.#connection, treatment);
    if (found.kind === 'omit') {
      const count = await countRows(statement, reader);
      if (count > 0) this.#omitted.push(`the rows of ${table.schema}.${table.name}: ${found.reason}`);
      return;
    }
    const { sql = statement.text, kept } = found;
    const rows = statement.hasRows ? reader.rows() : undefined;
    await this.#execute(sql, rows && kept ? withColumns(rows, kept) : rows);
  }

  #explain(error: unknown, { text, line }: ScriptStatement): unknown {
    if (error instanceof ScriptError) return error;
    const shown = queryError(error, { sql: text, path: this.#path, firstLine: line });
    return shown === error ? error : new ScriptError((shown as Error).message, { cause: error });
  }
}

function isTolerated(error: unknown, states: readonly string[]): boolean {
  const { code = '' } = error as { code?: string };
  return states.some((state) => code.startsWith(state));
}

/** An insert has at least one row. */
async function countRows({ hasRows }: ScriptStatement, reader: ScriptReader): Promise<number> {
  if (!hasRows) return 1;
  let count = 0;
  for await (const piece of reader.rows()) count += piece.split('\n').length - 1;
  return count;
}

/** Returns the database of `\connect name` or `\connect -reuse-previous=on "dbname='name'"`. */
function databaseOf(argumentText: string): string {
  const [, connectionName] = /dbname='([^']*)'/.exec(argumentText) ?? [];
  if (connectionName !== undefined) return connectionName;
  const [name = ''] = argumentText.split(/\s+/);
  return name.replace(/^"(.*)"$/, '$1');
}
