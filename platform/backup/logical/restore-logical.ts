/** Restores the database of a logical backup into an empty database, in one transaction. */
import { quoteIdentifier } from '@greenroom/postgres';
import { splitStatements } from '@greenroom/project/sql';
import type { ChunkReader } from '../archive/chunks/chunk-reader.ts';
import { readIndex } from '../archive/chunks/index-file.ts';
import { ArchiveError } from '../errors.ts';
import { adaptStatement, type RestoringRole } from './adapt-statement.ts';
import { type LogicalPart, parseLogicalPart, type TablePart } from './logical-index.ts';
import { requireEmptyDatabase } from './require-empty-database.ts';
import { openRestoreConnection, type RestoreConnection } from './restore-connection.ts';
import { MEMBERSHIP_OPTIONS_VERSION, RoleRestore } from './restore-roles.ts';
import { parseRoles } from './roles.ts';
import { columnsText, tableText } from './snapshot-catalog.ts';

const SHOWN_CHARACTERS = 200;

/** Options of {@link restoreLogical}. */
interface RestoreLogicalOptions {
  reader: ChunkReader;
  /** Ids of the chunks of the index. */
  index: readonly string[];
  /** URL of the empty database, as its owner or as a superuser. */
  url: string;
  /** The role that gets the rights and objects of the former owner. Default: that of the URL. */
  owner?: string;
  /** Whether a start gives a role its password. */
  isPasswordDerived: (role: string) => boolean;
  /** SQL that completes the database in the same transaction. */
  completion?: string;
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal | undefined;
}

/** A restored database. */
interface RestoredLogical {
  tables: number;
  rows: number;
  /** A line for each part of the backup that this server or role cannot have. */
  omissions: string[];
}

/**
 * Restores all parts. If it rejects, the database is still empty. Rejects with an `ArchiveError`: of kind `refused` if the
 * database is not empty or refuses a statement.
 */
export async function restoreLogical(options: RestoreLogicalOptions): Promise<RestoredLogical> {
  const { reader, index, url, completion, signal } = options;
  const connection = await openRestoreConnection({ url, owner: options.owner });
  try {
    await requireEmptyDatabase(connection);
    const restore = new LogicalRestore(connection, options);
    for await (const part of readIndex(reader, index, parseLogicalPart)) {
      signal?.throwIfAborted();
      await restore.apply(part);
    }
    await restore.finish();
    if (completion !== undefined) await connection.run(completion);
    signal?.throwIfAborted();
    await connection.commit();
    const omissions = connection.omissions.map(({ object, reason }) => `${object}: ${reason}`);
    return { tables: restore.tables, rows: restore.rows, omissions };
  } finally {
    await connection.close();
  }
}

class LogicalRestore {
  readonly #connection: RestoreConnection;
  readonly #options: RestoreLogicalOptions;
  #roles: RoleRestore | undefined;
  #role: RestoringRole | undefined;
  /** Extensions that the server cannot have. */
  readonly #missingExtensions = new Set<string>();
  #bytes = 0;
  tables = 0;
  rows = 0;

  constructor(connection: RestoreConnection, options: RestoreLogicalOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  async apply(part: LogicalPart): Promise<void> {
    if (part.part === 'roles') return this.#createRoles(part);
    if (part.part === 'table') return this.#copyRows(part);
    if (part.part === 'large-object') return this.#writeLargeObject(part);
    return this.#runStatements(await this.#textOf(part));
  }

  async finish(): Promise<void> {
    if (this.#roles === undefined)
      throw new ArchiveError('damaged', 'the index of the database has no roles');
    await this.#connection.run('reset role');
    await this.#roles.finish();
  }

  async #createRoles(part: LogicalPart): Promise<void> {
    const connection = this.#connection;
    const roles = parseRoles(JSON.parse(await this.#textOf(part)));
    this.#roles = new RoleRestore(connection, roles, this.#options.isPasswordDerived);
    this.#role = {
      formerOwner: roles.owner,
      owner: connection.owner,
      isSuperuser: connection.attributes.has('superuser'),
      version: connection.version,
    };
    await this.#roles.create();
  }

  async #runStatements(text: string): Promise<void> {
    if (this.#role === undefined)
      throw new ArchiveError('damaged', 'the index of the database begins without roles');
    for (const statement of splitStatements(text)) {
      const sql = statement.text.slice(statement.codeOffset);
      if (sql === '') continue;
      const adapted = adaptStatement(sql, this.#role);
      if (adapted.kind === 'run') await this.#run(adapted.sql);
      if (adapted.kind === 'omit') this.#connection.omit(adapted.object, adapted.reason);
      if (adapted.kind === 'extension') await this.#createExtension(adapted);
      if (adapted.kind === 'owner') await this.#changeOwner(adapted);
      this.#options.signal?.throwIfAborted();
    }
  }

  async #createExtension({ sql, name }: { sql: string; name: string }): Promise<void> {
    const isCreated = await this.#connection.attempt(sql, `extension ${name}`);
    if (!isCreated) this.#missingExtensions.add(name);
  }

  /**
   * A dump changes owners before it grants rights, so the new owner gets the right to create objects for this statement.
   * Only superusers do not need that.
   */
  async #changeOwner(change: { sql: string; schema: string | undefined; owner: string }): Promise<void> {
    const connection = this.#connection;
    if (connection.attributes.has('superuser')) return this.#run(change.sql);
    if (await connection.attempt(change.sql)) return;
    const owner = quoteIdentifier(change.owner);
    const place =
      change.schema === undefined
        ? `database ${quoteIdentifier(await connection.value('select current_database()'))}`
        : `schema ${quoteIdentifier(change.schema)}`;
    if (this.#roles?.foreign.has(change.owner)) throw foreignRole(change.owner, connection);
    await this.#run(`grant create on ${place} to ${owner}`);
    await this.#run(change.sql);
    await this.#run(`revoke create on ${place} from ${owner}`);
  }

  async #run(sql: string): Promise<void> {
    try {
      await this.#connection.run(sql);
    } catch (error) {
      throw refused(sql, error);
    }
  }

  async #copyRows(part: TablePart): Promise<void> {
    const { columns, rows, pieces, extension } = part;
    if (extension !== undefined && this.#missingExtensions.has(extension)) return;
    const copy = `copy ${tableText(part)} ${columnsText(columns)} from stdin`;
    const written = await this.#connection.copy(copy, this.#stream(pieces)).catch((error: unknown) => {
      throw error instanceof ArchiveError ? error : refused(copy, error);
    });
    if (written !== rows)
      throw new ArchiveError('damaged', `${tableText(part)} has ${written} rows instead of ${rows}`);
    this.tables += 1;
    this.rows += rows;
  }

  async #writeLargeObject(part: LogicalPart & { part: 'large-object' }): Promise<void> {
    await this.#run(`select pg_catalog.lo_create(${part.oid})`);
    let offset = 0;
    for await (const bytes of this.#stream(part.pieces)) {
      await this.#run(
        `select pg_catalog.lo_put(${part.oid}, ${offset}, '\\x${bytes.toString('hex')}'::pg_catalog.bytea)`,
      );
      offset += bytes.length;
    }
  }

  async #textOf({ pieces }: LogicalPart): Promise<string> {
    const parts: Buffer[] = [];
    for await (const bytes of this.#stream(pieces)) parts.push(bytes);
    return Buffer.concat(parts).toString('utf8');
  }

  async *#stream(pieces: LogicalPart['pieces']): AsyncGenerator<Buffer> {
    for await (const bytes of this.#options.reader.stream(pieces)) {
      this.#options.signal?.throwIfAborted();
      yield bytes;
      this.#bytes += bytes.length;
      this.#options.onProgress?.(this.#bytes);
    }
  }
}

/** Only an administrator of an existing role can make another role its member. */
function foreignRole(role: string, { owner, version }: RestoreConnection): ArchiveError {
  const options = version >= MEMBERSHIP_OPTIONS_VERSION ? ' with inherit true, set true' : '';
  return new ArchiveError(
    'refused',
    `role ${role} exists on the server, and ${owner} cannot create objects for it. Let its administrator run: grant ${quoteIdentifier(role)} to ${quoteIdentifier(owner)}${options}`,
  );
}

function refused(sql: string, cause: unknown): ArchiveError {
  const shown = sql.length > SHOWN_CHARACTERS ? `${sql.slice(0, SHOWN_CHARACTERS)}…` : sql;
  return new ArchiveError('refused', `${(cause as Error).message}, in the statement: ${shown}`, { cause });
}
