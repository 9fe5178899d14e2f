/** Durations as Go writes them (https://pkg.go.dev/time#ParseDuration), e.g. `24h`, `1h30m`, `-1.5h`. */

const UNIT_MS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  /** The micro sign, and the Greek letter. */
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
/** Go counts nanoseconds in 64 bits. */
const MAX_MS = 2 ** 63 / 1e6;

/** Reads one, in milliseconds; undefined for what is none, or longer than Go can count. */
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
