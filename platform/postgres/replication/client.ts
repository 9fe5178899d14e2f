/** Opens connections for replication. */
import pg from 'pg';

/** A connection for replication. */
export type ReplicationClient = pg.Client;

const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Creates a client for commands of replication, not connected yet. It accepts SQL without parameters as well, because it
 * belongs to a database; so the rules of `pg_hba.conf` for databases apply to it.
 * @param url URL with a role that has the attribute REPLICATION
 * @param settings parameters of the session
 */
export function createReplicationClient(
  url: string,
  applicationName: string,
  settings: Readonly<Record<string, string>>,
): ReplicationClient {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    options: options.join(' '),
    replication: 'database',
  } as pg.ClientConfig);
}
