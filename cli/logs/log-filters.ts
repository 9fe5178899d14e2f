/** Filters of `greenroom logs`. */
import { LOG_LEVELS, LOG_SERVICES, type LogEntry } from '@greenroom/log';
import { durationOption } from '../duration-option.ts';

/** The options; an option that is missing matches all lines. */
export interface Filters {
  services: readonly string[] | undefined;
  levels: readonly string[] | undefined;
  /** A duration such as `10m`, a time in ISO 8601, or `start`. */
  since: string | undefined;
}

/**
 * Returns the condition that a line matches all filters. Lines have to be passed in their order, because a line without a time
 * has that of the line before it.
 * @throws Error for a value that is not allowed
 */
export function readFilters({ services, levels, since }: Filters, now: Date): (entry: LogEntry) => boolean {
  requireAllowed('--service', services, LOG_SERVICES);
  requireAllowed('--level', levels, LOG_LEVELS);
  const earliest = since === undefined || since === 'start' ? undefined : earliestOf(since, now);
  let time = Number.NEGATIVE_INFINITY;
  return (entry) => {
    if (entry.timestamp !== null) time = Date.parse(entry.timestamp);
    return (
      (services?.includes(entry.service) ?? true) &&
      (levels?.some((level) => level === entry.level) ?? true) &&
      (earliest === undefined || time >= earliest)
    );
  };
}

function requireAllowed(option: string, values: readonly string[] = [], allowed: readonly string[]): void {
  const unknown = values.find((value) => !allowed.includes(value));
  if (unknown !== undefined)
    throw new Error(`${option}=${JSON.stringify(unknown)} is not allowed. Allowed: ${allowed.join(', ')}.`);
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Returns milliseconds since 1970. */
function earliestOf(since: string, now: Date): number {
  const time = TIME.test(since) ? Date.parse(since) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  try {
    return now.getTime() - durationOption('--since', since);
  } catch (cause) {
    const allowed = 'a duration such as 10m, a time such as 2026-11-26T14:00:00Z, or start';
    throw new Error(`--since=${JSON.stringify(since)} is not allowed. Allowed: ${allowed}.`, { cause });
  }
}
