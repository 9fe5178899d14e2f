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
  for (let isFirst = true; ; isFirst = false) {
    const [[row] = []] = await session.batch([
      { text: 'select pg_try_advisory_lock($1) as locked', values: [PROJECT_LOCK] },
    ]);
    if (row?.locked === true) return;
    if (isFirst) onWait();
    await sleep(RETRY_MS);
  }
}
