/** Parses durations in Go's format (https://pkg.go.dev/time#ParseDuration), e.g. `24h`, `1h30m`, `-1.5h`. */

const UNIT_MS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  /** The micro sign and the Greek letter mu. */
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const MAX_LENGTH = 64;
// [-+]? ( 0 | ( ( digits [ . digits ] | . digits ) unit )+ )
const PART = /(\d+\.?\d*|\.\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/;
const DURATION = new RegExp(`^[-+]?(?:0|(?:${PART.source})+)$`);
/** Go stores nanoseconds in 64 bits. */
const MAX_MS = 2 ** 63 / 1e6;

/** Returns the duration in milliseconds; undefined for malformed durations and for those that overflow in Go. */
export function parseGoDuration(text: string): number | undefined {
  if (text.length > MAX_LENGTH || !DURATION.test(text)) return undefined;
  const parts = text.matchAll(new RegExp(PART, 'g'));
  const ms = parts.reduce(
    (sum, [, amount = '', unit = '']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0),
    0,
  );
  if (ms > MAX_MS) return undefined;
  return text.startsWith('-') ? -ms : ms;
}
