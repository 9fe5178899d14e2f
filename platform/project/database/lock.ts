/** One node at a time changes the schema of a project. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '@greenroom/postgres';

/** The number of the advisory lock: any constant, but it must never change. */
const PROJECT_LOCK = 7_403_275_812;
const RETRY_MS = 100;

/**
 * Waits until this session holds the lock, which ends with the session. It polls, because a session that waits inside of
 * a statement would block `create index concurrently` of the holder.
 * @param onWait called once if another session holds the lock
 */
export async function lockProject(session: Session, onWait: () => void): Promise<void> {
  for (let isFirst = true; !(await tryLockProject(session)); isFirst = false) {
    if (isFirst) onWait();
    await sleep(RETRY_MS);
  }
}

/** Waits at most `waitMs`, up to one attempt more. Returns whether this session holds the lock. */
export async function lockProjectWithin(session: Session, waitMs: number): Promise<boolean> {
  for (let waitedMs = 0; !(await tryLockProject(session)); waitedMs += RETRY_MS) {
    if (waitedMs >= waitMs) return false;
    await sleep(RETRY_MS);
  }
  return true;
}

async function tryLockProject(session: Session): Promise<boolean> {
  const [[row] = []] = await session.batch([
    { text: 'select pg_try_advisory_lock($1) as locked', values: [PROJECT_LOCK] },
  ]);
  return row?.locked === true;
}
