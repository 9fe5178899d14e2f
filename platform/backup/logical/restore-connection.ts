/** The transaction of a restore: either all of a backup is restored, or nothing. */
import { openScriptConnection, type ScriptConnection } from '@greenroom/psql';

/** Attributes of roles that matter to a restore. */
const ATTRIBUTES = ['superuser', 'createrole', 'createdb', 'replication', 'bypassrls'] as const;

/** SQLSTATEs of objects that a server or role cannot have: no right, no such extension, no file. */
const IMPOSSIBLE: readonly string[] = ['42501', '0A000', '58P01', '22023', '42704', '0LP01'];

/** A part of a backup that was left out. */
interface Omission {
  object: string;
  reason: string;
}

/** An open transaction. */
export interface RestoreConnection extends Pick<ScriptConnection, 'run' | 'copy'> {
  /** Attributes of the role that restores; a superuser has all. */
  readonly attributes: ReadonlySet<string>;
  /** Major version of the server. */
  readonly version: number;
  /** The role that becomes the owner of the objects of the former owner. */
  readonly owner: string;
  readonly omissions: readonly Omission[];
  /** Returns the first column of the first row. */
  value(sql: string): Promise<string>;
  omit(object: string, reason: string): void;
  /**
   * Runs a statement that the server may refuse for lack of rights or files; returns whether it succeeded. With `object`,
   * a failure counts as omission. Rejects with other errors.
   */
  attempt(sql: string, object?: string): Promise<boolean>;
  commit(): Promise<void>;
  /** Closes the connection, which rolls back an open transaction. */
  close(): Promise<void>;
}

/**
 * Begins a transaction.
 * @param options `owner`: role that owns the restored database; default: the role of the URL
 */
export async function openRestoreConnection(options: {
  url: string;
  owner: string | undefined;
}): Promise<RestoreConnection> {
  const connection = await openScriptConnection({
    url: options.url,
    applicationName: 'greenroom restore',
    onNotice: () => {},
  });
  try {
    return await begin(connection, options.owner);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function begin(connection: ScriptConnection, owner: string | undefined): Promise<RestoreConnection> {
  const omissions: Omission[] = [];
  await connection.run('begin');
  for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await connection.run(`set local ${limit} = 0`);
  const { rows } =
    await connection.run(`select current_user, current_setting('server_version_num')::int / 10000,
    ${ATTRIBUTES.map((name) => `(rolsuper or rol${name.replace('user', '')})::text`).join(', ')}
    from pg_catalog.pg_roles where rolname = current_user`);
  const [[role, version, ...flags] = []] = rows;
  const attributes = new Set(ATTRIBUTES.filter((_, index) => flags[index] === 'true'));
  const omit = (object: string, reason: string) => void omissions.push({ object, reason });
  return {
    run: connection.run,
    copy: connection.copy,
    attributes,
    version: Number(version),
    owner: owner ?? role ?? '',
    omissions,
    value: async (sql) => (await connection.run(sql)).rows[0]?.[0] ?? '',
    omit,
    async attempt(sql, object) {
      await connection.run('savepoint attempt');
      try {
        await connection.run(sql);
        await connection.run('release savepoint attempt');
        return true;
      } catch (error) {
        const { code = '', message } = error as Error & { code?: string };
        if (!IMPOSSIBLE.includes(code)) throw error;
        await connection.run('rollback to savepoint attempt');
        if (object !== undefined) omit(object, message);
        return false;
      }
    },
    commit: async () => void (await connection.run('commit')),
    close: () => connection.close(),
  };
}
