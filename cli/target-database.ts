/** Databases that commands name by `--db-url`: any PostgreSQL, also that of another instance. */
import { openSession } from '@greenroom/postgres';
import type { ProjectToRun } from '@greenroom/project';
import type { Config } from '@greenroom/server/settings';
import { CONNECTION_URL_EXAMPLE, databaseUrl, withoutPassword } from './connection-url.ts';
import { withInstanceDatabase } from './instance-database.ts';

/** Returns the URL of a required `--db-url` like {@link databaseUrl}. */
export function requiredDatabaseUrl(command: string, text: string | undefined, instead: string): string {
  if (text !== undefined) return databaseUrl('--db-url', text);
  throw new Error(`${command} requires --db-url ${CONNECTION_URL_EXAMPLE}. ${instead}`);
}

/** Throws a message without the password if the database does not accept a connection. */
export async function requireReachable(url: string): Promise<void> {
  try {
    const session = await openSession({ url, applicationName: 'greenroom' });
    await session.close();
  } catch (cause) {
    throw new Error(`cannot connect to ${withoutPassword(url)}: ${reasonOf(cause)}`, { cause });
  }
}

/** Connecting to a host with several addresses fails with one error for each. */
function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message : String(first);
}

/** Runs `work` with the URL of `--db-url`, or with that of the instance if the option is missing. */
export async function withTargetDatabase<T>(
  { config, toRun }: { config: Config; toRun: ProjectToRun | undefined },
  text: string | undefined,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (text === undefined) return withInstanceDatabase({ config, project: toRun }, work);
  const url = databaseUrl('--db-url', text);
  await requireReachable(url);
  return work(url);
}
