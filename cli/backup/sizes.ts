/** Sizes and times in the output of commands about backups. */

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1000;
/** Longer durations are in hours. */
const MAX_MINUTES = 90;

/** Returns e.g. `3.4 MB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Returns a time as tables show it, e.g. `2026-11-27 11:16:13`, in UTC. */
export function secondText(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns e.g. `2026-11-27 11:16:13.767 UTC`, without milliseconds of zero. */
export function timeOfStateText(time: Date): string {
  return `${time.toISOString().replace('T', ' ').replace('.000Z', '').replace('Z', '')} UTC`;
}

/** Returns e.g. `about 3 minutes`. */
export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return 'less than a minute';
  if (minutes < MAX_MINUTES) return `about ${countText(minutes, 'minute')}`;
  return `about ${countText(Math.round(minutes / 60), 'hour')}`;
}

/** Returns e.g. `1 file` and `2 files`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
