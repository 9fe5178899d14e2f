/** Formats and parses the days in quarantine names: `2027-01-31`, UTC. */

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_LENGTH = 10;

/** Formats the UTC day of a time. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, DAY_LENGTH);
}

/** Parses a day and returns its start; undefined if the text is not a day. */
export function startOfDay(text: string): Date | undefined {
  if (!DAY.test(text)) return undefined;
  const time = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
