/** Commands of physical replication ("Streaming Replication Protocol" in PostgreSQL's documentation). */
import type pg from 'pg';
import { quoteIdentifier, quoteLiteral } from '../identifier.ts';
import { formatLsn, parseLsn } from './lsn.ts';
import type { Lsn } from './wal-message.ts';

/** The identity of a cluster, and the end of its log. A restored cluster continues the log on another timeline. */
export interface SystemIdentity {
  systemId: string;
  timeline: number;
  /** The position up to which the log is on the disk of the server. */
  end: Lsn;
}

/** A physical replication slot, which keeps the log that its client has not confirmed yet. */
interface PhysicalSlot {
  /** First position that the slot keeps; undefined if it keeps nothing, because it was invalidated or never used. */
  restartLsn: Lsn | undefined;
  /** Whether the server has removed log that the slot needed (`max_slot_wal_keep_size`). */
  isLost: boolean;
}

/** Returns the identity of the server's cluster. */
export async function identifySystem(client: pg.Client): Promise<SystemIdentity> {
  const { rows } = await client.query('IDENTIFY_SYSTEM');
  const { systemid, timeline, xlogpos } = rows[0] ?? {};
  return { systemId: String(systemid), timeline: Number(timeline), end: parseLsn(String(xlogpos)) };
}

/**
 * Creates a physical slot that keeps the log from now on.
 * @param isTemporary whether the server drops the slot at the end of the connection
 */
export async function createPhysicalSlot(
  client: pg.Client,
  name: string,
  { isTemporary }: { isTemporary: boolean },
): Promise<void> {
  const kind = isTemporary ? 'TEMPORARY PHYSICAL' : 'PHYSICAL';
  await client.query(`CREATE_REPLICATION_SLOT ${quoteIdentifier(name)} ${kind} (RESERVE_WAL)`);
}

/** Returns the state of a physical slot; undefined if it does not exist. */
export async function readPhysicalSlot(client: pg.Client, name: string): Promise<PhysicalSlot | undefined> {
  const { rows } = await client.query(
    `select restart_lsn::text, wal_status from pg_catalog.pg_replication_slots
      where slot_name = ${quoteLiteral(name)} and slot_type = 'physical'`,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    restartLsn: row.restart_lsn === null ? undefined : parseLsn(row.restart_lsn),
    isLost: row.wal_status === 'lost',
  };
}

/** Drops a slot. Rejects if a connection still uses it. */
export async function dropSlot(client: pg.Client, name: string): Promise<void> {
  await client.query(`DROP_REPLICATION_SLOT ${quoteIdentifier(name)}`);
}

/** Where a physical stream starts. */
export interface PhysicalStart {
  slot: string;
  timeline: number;
  from: Lsn;
}

/** Streams the log. Resolves when the server ends the stream, which it does at the end of a timeline. */
export async function startPhysicalReplication(client: pg.Client, start: PhysicalStart): Promise<void> {
  const { slot, timeline, from } = start;
  await client.query(
    `START_REPLICATION SLOT ${quoteIdentifier(slot)} PHYSICAL ${formatLsn(from)} TIMELINE ${timeline}`,
  );
}
