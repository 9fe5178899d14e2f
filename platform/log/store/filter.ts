/** Which lines of a log a search returns. */
import { LOG_LEVELS, type LogEntry, parseLogLine } from '../log-entry.ts';

/** All conditions apply. */
export interface LogFilter {
  /** First time, as ISO 8601 in UTC. */
  from?: string | undefined;
  /** Time of the first line that is not part of the range, as ISO 8601 in UTC. */
  to?: string | undefined;
  service?: string | undefined;
  /** Minimum level. */
  level?: (typeof LOG_LEVELS)[number] | undefined;
  /** Range of HTTP statuses. */
  status?: { min: number; max: number } | undefined;
  user?: string | undefined;
  request?: string | undefined;
  /** Part of the line, in any case. */
  text?: string | undefined;
}

/** Level and time of a line of the logger, without parsing it. */
const START = /^\{"level":(\d+),"time":"([^"]+)"/;

/** Creates the test of lines: returns the parsed line if it matches. */
export function createLineMatcher(filter: LogFilter): (line: string) => LogEntry | undefined {
  const { from, to, service, level, status, user, request, text } = filter;
  const minLevel = level === undefined ? 0 : (LOG_LEVELS.indexOf(level) + 1) * 10;
  // Without parsing: most lines of a search for one request do not contain its id.
  const needles = [user, request].filter((part) => part !== undefined).map(escaped);
  const lowerText = text === undefined ? undefined : escaped(text).toLowerCase();
  const statusStarts = status !== undefined;
  const matchesFields = ({ fields, service: found }: LogEntry) =>
    (service === undefined || found === service) &&
    (status === undefined || isWithin(fields.status, status)) &&
    (user === undefined || fields.userId === user) &&
    (request === undefined || fields.reqId === request);
  return (line) => {
    const [, foundLevel, time = ''] = START.exec(line) ?? [];
    if (foundLevel === undefined || Number(foundLevel) < minLevel) return undefined;
    if ((from !== undefined && time < from) || (to !== undefined && time >= to)) return undefined;
    if (!needles.every((needle) => line.includes(needle))) return undefined;
    if (statusStarts && !line.includes('"status":')) return undefined;
    if (lowerText !== undefined && !line.toLowerCase().includes(lowerText)) return undefined;
    const entry = parseLogLine(line);
    return entry.timestamp !== null && matchesFields(entry) ? entry : undefined;
  };
}

/** Returns the time of a line; undefined if it is no line of the logger. */
export function timeOfLine(line: string): string | undefined {
  return START.exec(line)?.[2];
}

function isWithin(value: unknown, { min, max }: { min: number; max: number }): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

/** Returns a text as JSON writes it in a string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
