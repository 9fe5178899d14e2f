/** The options of `greenroom restore` that name a state. */
import type { RequestedState } from '@greenroom/backup';

/** Values of the options. */
export interface StateOptions {
  toTime: string | undefined;
  isLatest: boolean;
  /** Id of a backup. */
  backup: string | undefined;
  /** Name of a backup. */
  name: string | undefined;
}

const TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i;
const EXAMPLE = '2026-11-27T12:00:00Z or 2026-11-27T13:00:00+01:00';

/** Returns the state, by default the latest. Throws if several options name one, or if the time is none. */
export function requestedState({ toTime, isLatest, backup, name }: StateOptions): RequestedState {
  const given = Object.entries({
    '--to-time': toTime,
    '--latest': isLatest,
    '--backup': backup,
    '--name': name,
  })
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([option]) => option);
  if (given.length > 1) throw new Error(`${given.join(' and ')} exclude each other: name one state.`);
  if (toTime !== undefined) return { kind: 'time', time: parseTime(toTime) };
  if (backup !== undefined) return { kind: 'backup', id: backup };
  return name === undefined ? { kind: 'latest' } : { kind: 'name', name };
}

/** Parses a time of ISO 8601 with a zone. A space may take the place of the `T`. */
function parseTime(text: string): Date {
  const [, day, clock, zone] = TIME.exec(text.trim()) ?? [];
  const subject = `--to-time=${JSON.stringify(text)}`;
  if (day === undefined || clock === undefined)
    throw new Error(`${subject} is not allowed. Allowed: a time with its zone, e.g. ${EXAMPLE}.`);
  if (zone === undefined) throw new Error(`${subject} has no zone. Add one, e.g. ${EXAMPLE}.`);
  const time = new Date(`${day}T${clock}${isoZone(zone)}`);
  // Days that do not exist become days of the next month.
  const isValid =
    !Number.isNaN(time.getTime()) && new Date(`${day}T00:00Z`).toISOString().slice(0, day.length) === day;
  if (!isValid) throw new Error(`${subject} does not exist. Allowed: a time with its zone, e.g. ${EXAMPLE}.`);
  return time;
}

/** Returns e.g. `+01:00` for `+01` and `+0100`. */
function isoZone(zone: string): string {
  if (!/^[+-]/.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
