/** Durations of bans, in the format of the auth service. */

/** Choices of the form. */
export const BAN_DURATIONS = ['1h', '24h', '168h', '720h', '8760h', '876000h'] as const;

/** A number of hours, at most a hundred years. */
const HOURS = /^[1-9]\d{0,5}h$/;

/** Parses a duration of a form. Undefined if it is invalid. */
export function parseBanDuration(text: string): string | undefined {
  return HOURS.test(text) ? text : undefined;
}
