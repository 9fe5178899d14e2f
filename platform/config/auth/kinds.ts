/** Kinds of variables as GoTrue writes them: Go's durations, and rates. */
import { z } from 'zod';
import { variable } from '../variable.ts';

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A positive duration as Go writes it, e.g. `10s`, `1h30m`, `500ms`; the value is in milliseconds. */
export function durationVariable<const D extends string | undefined>(details: {
  description: string;
  default: D;
}) {
  const schema = z
    .string()
    .regex(/^(\d{1,9}(\.\d{1,3})?(ms|s|m|h))+$/)
    .transform(durationMs)
    .pipe(z.number().positive());
  return variable(schema, 'a positive duration such as 10s, 15m or 1h30m', details);
}

function durationMs(text: string): number {
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, amount = '0', unit = 'ms']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0), 0);
}

/** A number of requests; fractions are allowed, as GoTrue reads them. */
export function rateVariable<const D extends string>(details: { description: string; default: D }) {
  const schema = z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/)
    .transform(Number);
  return variable(schema, 'a number of requests, 0 or more', details);
}
