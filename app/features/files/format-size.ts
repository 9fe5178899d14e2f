/** How large a file is, for people. */

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** `840 bytes`, `1.2 MB`, in decimal units as file managers show them; at most one digit after the point. */
export function formatSize(bytes: number, language: string): string {
  let value = bytes;
  let unit: (typeof UNITS)[number] | 'byte' = 'byte';
  for (const larger of UNITS) {
    // What would be rounded to 1000 belongs to the next unit.
    if (value < 999.5) break;
    value /= 1000;
    unit = larger;
  }
  const maximumFractionDigits = unit === 'byte' || value >= 99.95 ? 0 : 1;
  // Short, English has "2 byte".
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(
    value,
  );
}
