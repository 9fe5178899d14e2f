/** Formats file sizes. */

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Returns `840 bytes`, `1.2 MB`, in decimal units as file managers show them; at most one decimal digit. */
export function formatSize(bytes: number, language: string): string {
  let value = bytes;
  let unit: (typeof UNITS)[number] | 'byte' = 'byte';
  for (const larger of UNITS) {
    // A value that would be rounded to 1000 belongs to the next unit.
    if (value < 999.5) break;
    value /= 1000;
    unit = larger;
  }
  const maximumFractionDigits = unit === 'byte' || value >= 99.95 ? 0 : 1;
  // The short form of English is "2 byte".
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(
    value,
  );
}
