/**
 * Waits until transactions are visible. A commit appears in the log shortly before other sessions see it: a query in
 * between would read the previous rows, policies and privileges.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedDatabase } from '../database.ts';

const INITIAL_DELAY_MS = 1;
const MAX_DELAY_MS = 100;
/** Long, because a commit may wait for an unreachable standby, and a row that is checked too early is not delivered. */
const TIMEOUT_MS = 10_000;
const XIDS = 2n ** 32n;

/**
 * Resolves when new statements see all transactions, or after a timeout.
 * @param xids transaction ids as in the log, without epoch
 */
export async function waitForCommits(database: FeedDatabase, xids: ReadonlySet<number>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  for (
    let pauseMs = INITIAL_DELAY_MS;
    performance.now() < end;
    pauseMs = Math.min(pauseMs * 2, MAX_DELAY_MS)
  ) {
    const [row] = await database.query<{ snapshot: string }>({
      text: 'select pg_catalog.pg_current_snapshot()::text as snapshot',
      name: 'snapshot',
    });
    const snapshot = row?.snapshot ?? '';
    if ([...xids].every((xid) => isVisible(xid, snapshot))) return;
    await sleep(pauseMs);
  }
}

/**
 * Whether a committed transaction is visible in a snapshot (`xmin:xmax:xip,…`, all with their epochs).
 * @example isVisible(7, '5:8:6') // true
 */
export function isVisible(xid: number, snapshot: string): boolean {
  const [, xmax = '0', running = ''] = snapshot.split(':');
  const next = BigInt(xmax);
  const full = withEpoch(BigInt(xid), next);
  return full < next && !running.split(',').includes(String(full));
}

/** Adds the epoch that brings `xid` closest to the full id `near`. */
function withEpoch(xid: bigint, near: bigint): bigint {
  const full = (near / XIDS) * XIDS + xid;
  if (full > near + XIDS / 2n) return full - XIDS;
  return full < near - XIDS / 2n ? full + XIDS : full;
}
