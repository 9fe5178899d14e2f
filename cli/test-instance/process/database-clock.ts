/**
 * The clock of the database of a test instance. The time functions of PostgreSQL become SQL functions that add an offset to the
 * original ones. The planner replaces a call by the body, and renews plans when the function with the offset changes. Callers of
 * `current_timestamp`, which is no function, get the real time.
 */
import { withSuperuser } from './superuser.ts';

/** Wakes the runner of cron jobs. */
const CRON_CHANNEL = 'greenroom_cron';

/** The functions with the volatility that they have in PostgreSQL. */
const TIME_FUNCTIONS: Readonly<Record<string, 'stable' | 'volatile'>> = {
  now: 'stable',
  transaction_timestamp: 'stable',
  statement_timestamp: 'stable',
  clock_timestamp: 'volatile',
};

/** Prepares the database of a running instance for {@link moveClocks}. @param dataFolder folder of the instance */
export function prepareDatabaseClock(dataFolder: string): Promise<void> {
  return withSuperuser(dataFolder, async (session) => {
    await session.batch([{ text: offsetFunction(0) }]);
    for (const [name, volatility] of Object.entries(TIME_FUNCTIONS))
      for (const text of replaceFunction(name, volatility)) await session.batch([{ text }]);
  });
}

/**
 * Moves the clock of the database of a running instance, then that of its process.
 * @param offsetMs difference to the real time
 * @param moveProcess moves the clock of the process
 */
export function moveClocks(dataFolder: string, offsetMs: number, moveProcess: () => void): Promise<void> {
  return withSuperuser(dataFolder, async (session) => {
    await session.batch([{ text: offsetFunction(offsetMs) }]);
    // The process decides which cron jobs are due. Their statements need the new time then.
    moveProcess();
    // Jobs that have become due wait for the end of the minute otherwise.
    await session.batch([{ text: `select pg_notify('${CRON_CHANNEL}', '')` }]);
  });
}

/** Strict, because the planner replaces calls of strict functions only if all functions of the body are strict, too. */
function offsetFunction(offsetMs: number): string {
  const seconds = (Math.round(offsetMs) / 1000).toFixed(3);
  return `create or replace function greenroom.test_clock_offset() returns interval language sql stable strict parallel safe
    begin atomic select interval '${seconds} seconds'; end`;
}

function replaceFunction(name: string, volatility: string): string[] {
  const original = `greenroom.test_real_${name}`;
  const moved = `greenroom.test_moved_${name}`;
  const kind = `${volatility} strict parallel safe`;
  return [
    `create function ${original}() returns timestamptz language internal ${kind} as '${name === 'transaction_timestamp' ? 'now' : name}'`,
    `create function ${moved}() returns timestamptz language sql ${kind}
      begin atomic select ${original}() + greenroom.test_clock_offset(); end`,
    `grant execute on function ${original}(), ${moved}(), greenroom.test_clock_offset() to public`,
    `update pg_catalog.pg_proc replaced set prolang = moved.prolang, prosrc = moved.prosrc, prosqlbody = moved.prosqlbody
      from pg_catalog.pg_proc moved
      where replaced.oid = 'pg_catalog.${name}()'::regprocedure and moved.oid = '${moved}()'::regprocedure`,
  ];
}
