/** Formats file sizes and transfer rates. */
import { cachedFormat } from './cached-format.ts';

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

type Unit = 'byte' | (typeof UNITS)[number];

/** Returns `840 bytes`, `1.2 MB`, in decimal units as file managers show them; at most one decimal digit. */
export function formatSize(bytes: number, language: string): string {
  const { value, unit } = scale(bytes);
  // The short form of English is "2 byte".
  return format(value, unit, unit === 'byte' ? 'long' : 'short', language);
}

/** Returns `840 byte/s`, `1.2 MB/s`, in the units of {@link formatSize}. */
export function formatRate(bytesPerSecond: number, language: string): string {
  const { value, unit } = scale(bytesPerSecond);
  return format(value, `${unit}-per-second`, 'short', language);
}

/** Converts bytes to the largest unit in which the value is at least 1. */
function scale(bytes: number): { value: number; unit: Unit } {
  let value = bytes;
  let unit: Unit = 'byte';
  for (const larger of UNITS) {
    // A value that would be rounded to 1000 belongs to the next unit.
    if (value < 999.5) break;
    value /= 1000;
    unit = larger;
  }
  return { value, unit };
}

type FormattedUnit = Unit | `${Unit}-per-second`;

const formatOf = cachedFormat(
  (language: string, unit: FormattedUnit, unitDisplay: 'long' | 'short', maximumFractionDigits: number) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits }),
);

function format(value: number, unit: FormattedUnit, unitDisplay: 'long' | 'short', language: string): string {
  const maximumFractionDigits = unit.startsWith('byte') || value >= 99.95 ? 0 : 1;
  return formatOf(language, unit, unitDisplay, maximumFractionDigits).format(value);
}
