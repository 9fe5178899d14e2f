/**
 * Background jobs for content without a row: a sweep when storage starts, and a daily maintenance of the quarantine.
 * Both first check that the store belongs to the database.
 *
 * The removal of content may be held until it has been copied (`ContentCopies`). The sweep skips such content, although it has no
 * row.
 */
import { isBound } from './binding/bind.ts';
import type { Context } from './context.ts';
import { selectReferencedVersions } from './rows/objects.ts';
import { type MaintenanceResult, maintainQuarantine } from './store/quarantine.ts';
import { MAX_ORPHANS_SHARE, type SweepResult, sweep } from './store/sweep.ts';
import { selectVersionsOfUploads } from './tus/rows.ts';

const DAY_MS = 86_400_000;
/** In a shared store, other nodes may have written content whose row is not yet committed. */
const SHARED_STORE_AGE_MS = DAY_MS;
/** Timestamps of files come from a coarse clock that may lag a little. */
const CLOCK_TOLERANCE_MS = 100;

/** Handle of the background jobs. */
interface Sweeping {
  /** Resolves when the sweep of the start is over. Never rejects. */
  waitForSweep(): Promise<void>;
  /** Aborts the jobs. Resolves when no job is running any more. */
  stop(): Promise<void>;
}

/** Starts a sweep now, and schedules the daily maintenance. */
export function startSweeping(context: Context): Sweeping {
  const closing = new AbortController();
  const { signal } = closing;
  // The cutoff is taken before the first request: content written from now on may not have its row yet.
  const before = sweepCutoff(context);
  const swept = runIfBound(context, signal, () => sweepOnce(context, before, signal));
  let running = swept;
  const timer = setInterval(() => {
    running = running.then(() =>
      runIfBound(context, signal, async () => void (await maintain(context, signal))),
    );
  }, DAY_MS).unref();
  return {
    waitForSweep: () => swept,
    async stop() {
      closing.abort();
      clearInterval(timer);
      await running;
    },
  };
}

function sweepCutoff({ config }: Context): Date {
  const isShared = config.s3Store !== undefined;
  return new Date(Date.now() - (isShared ? SHARED_STORE_AGE_MS : CLOCK_TOLERANCE_MS));
}

/** Runs `work` if the store belongs to the database. Never rejects: leftover content is harmless until the next run. */
async function runIfBound(context: Context, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const { log, store } = context;
  try {
    if (await isBound(context)) await work();
    else log.warn({ store: store.location }, 'sweep skipped: the instance ids of store and database differ');
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'searching for content without rows failed');
  }
}

async function sweepOnce(context: Context, before: Date, signal: AbortSignal): Promise<void> {
  const { config, store, log, metrics } = context;
  const now = new Date();
  const { quarantinedUploads } = await maintain(context, signal);
  const findReferenced = async (versions: readonly string[]) => {
    const held = versions.filter((version) => context.contentCopies?.holds(version));
    return (await findReferencedVersions(context, versions)).union(new Set(held));
  };
  const { maxOrphans } = config.orphans;
  const swept = await sweep(store, { before, findReferenced, maxOrphans, quarantinedUploads, now, signal });
  metrics.orphansOverLimit.set(swept.isOverLimit ? swept.orphans : 0);
  metrics.quarantine.inc({ event: 'quarantined' }, swept.quarantined);
  if (swept.isOverLimit) warnOfOrphans(context, swept);
  else if (swept.quarantined > 0) {
    log.info({ quarantined: swept.quarantined }, 'content without rows was moved to quarantine');
  }
}

function warnOfOrphans({ store, log, config }: Context, { total, orphans }: SweepResult): void {
  const limits = { maxOrphans: config.orphans.maxOrphans, share: MAX_ORPHANS_SHARE };
  log.warn(
    { store: store.location, total, orphans, ...limits },
    'too much content has no row, so nothing was moved to quarantine. ' +
      'Check whether the database is older than the store, e.g. a backup. If not, raise GREENROOM_SWEEP_MAX_ORPHANS.',
  );
}

async function maintain(context: Context, signal: AbortSignal): Promise<MaintenanceResult> {
  const { config, store, log, metrics } = context;
  const { quarantineDays, isAdopting } = config.orphans;
  // Adds a day, because content may have been moved at the end of its day.
  const removeBefore = isAdopting ? undefined : new Date(Date.now() - (quarantineDays + 1) * DAY_MS);
  const findReferenced = (versions: readonly string[]) => findReferencedVersions(context, versions);
  const result = await maintainQuarantine(store, { findReferenced, removeBefore, signal });
  const { restored, removed } = result;
  metrics.quarantine.inc({ event: 'restored' }, restored);
  metrics.quarantine.inc({ event: 'removed' }, removed);
  if (restored + removed > 0) log.info({ restored, removed }, 'restored or deleted content in quarantine');
  return result;
}

async function findReferencedVersions(
  { database }: Pick<Context, 'database'>,
  versions: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database.batch([selectReferencedVersions(versions), selectVersionsOfUploads(versions)]);
  return new Set(rows.flat().map(({ version }) => version as string));
}
