/** Opens replication connections and starts logical replication with the plugin pgoutput. */
import { randomBytes } from 'node:crypto';
import { createReplicationClient, quoteIdentifier, quoteLiteral } from '@greenroom/postgres';
import type pg from 'pg';

/** Fixed formats: the texts of values must not depend on settings of the database or the role. */
const SETTINGS = {
  DateStyle: 'ISO,MDY',
  TimeZone: 'UTC',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
};

/** Creates a replication client, not connected yet. @param url URL with a role that has the attribute REPLICATION */
export function createFeedClient(url: string): pg.Client {
  return createReplicationClient(url, 'greenroom realtime, replication', SETTINGS);
}

/**
 * Returns those of the publications that exist: a missing one would end the stream at the first change. Rejects if none
 * exists.
 */
export async function findPublications(client: pg.Client, names: readonly string[]): Promise<string[]> {
  // A walsender does not support parameters.
  const list = names.map(quoteLiteral).join(', ');
  const { rows } = await client.query(`select pubname from pg_publication where pubname in (${list})`);
  if (rows.length === 0) throw new Error(`none of these publications exists: ${names.join(', ')}`);
  return rows.map(({ pubname }) => String(pubname));
}

/**
 * Creates a temporary slot, which exists as long as the connection, and streams from it. Resolves when the server ends
 * the stream; the connection reports the start as an event.
 */
export async function streamFromNewSlot(client: pg.Client, publications: readonly string[]): Promise<void> {
  const slot = quoteIdentifier(`greenroom_${randomBytes(8).toString('hex')}`);
  // The server accepts replication commands in upper case only.
  await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`);
  const names = quoteLiteral(publications.map(quoteIdentifier).join(','));
  await client.query(
    `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names ${names})`,
  );
}
