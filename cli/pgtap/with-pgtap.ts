/** The extension pgTAP in a database, for the time of a run of tests. */
import { openSession, type Session } from '@greenroom/postgres';

/** Version that the embedded PostgreSQL shows for an extension without files. */
const MISSING_VERSION = 'missing';
const PACKAGE = 'postgresql-18-pgtap';

/** pgTAP has no files. The message says how to add them. */
class PgTapMissingError extends Error {
  override readonly name = 'PgTapMissingError';

  constructor() {
    super(
      [
        'pgTAP is not available in this database. Its files are SQL only, so those of any release of PostgreSQL work. Add them once:',
        `  greenroom extensions add ${PACKAGE}   (or another package of pgTAP that apt on this system knows)`,
        '  greenroom extensions add <folder>              (with pgtap.control and pgtap--<version>.sql, see https://pgtap.org)',
      ].join('\n'),
    );
  }
}

/** A database with pgTAP. */
interface PgTapDatabase {
  /** Ends the server process of a connection, and waits until it has ended. */
  terminate(pid: number): Promise<void>;
}

/**
 * Runs `work` while the database of `url` has pgTAP: an extension that was not there before is created in the schema
 * `extensions` and dropped again.
 * @param onWarning receives a message if it cannot be dropped
 * @throws PgTapMissingError without its files
 */
export async function withPgTap<T>(
  url: string,
  onWarning: (text: string) => void,
  work: (database: PgTapDatabase) => Promise<T>,
): Promise<T> {
  const session = await openSession({ url, applicationName: 'greenroom test db' });
  try {
    const isOurs = await ensureExtension(session);
    try {
      return await work({
        terminate: async (pid) =>
          void (await session.batch([{ text: 'select pg_terminate_backend($1, 5000)', values: [pid] }])),
      });
    } finally {
      if (isOurs) await dropExtension(session).catch(({ message }: Error) => onWarning(message));
    }
  } finally {
    await session.close();
  }
}

/** Returns whether the extension was created. */
async function ensureExtension(session: Session): Promise<boolean> {
  const [[found] = []] = await session.batch([
    {
      text: `select installed_version is not null as is_installed, default_version as version
        from pg_available_extensions where name = 'pgtap'`,
    },
  ]);
  if (found?.is_installed) return false;
  if (found === undefined || found.version === MISSING_VERSION) throw new PgTapMissingError();
  await session.batch([{ text: 'create extension if not exists pgtap with schema extensions' }]);
  return true;
}

async function dropExtension(session: Session): Promise<void> {
  await session.batch([{ text: 'drop extension if exists pgtap' }]);
}
