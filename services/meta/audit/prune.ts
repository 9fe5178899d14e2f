/** Removes old entries of the audit log once a day. */
import type { Logger } from '@greenroom/log';

const FIRST_MS = 60_000;
const INTERVAL_MS = 24 * 3_600_000;

/** Returns timers that do not keep the process running. */
export function createPruning(prune: () => Promise<void>, log: Pick<Logger, 'warn'>) {
  let timer: NodeJS.Timeout | undefined;
  const schedule = (ms: number) => {
    timer = setTimeout(run, ms).unref();
  };
  const run = () => {
    schedule(INTERVAL_MS);
    prune().catch((error: unknown) =>
      log.warn({ err: error }, 'old entries of the audit log were not removed'),
    );
  };
  return { start: () => schedule(FIRST_MS), stop: () => clearTimeout(timer) };
}
