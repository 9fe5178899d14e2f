/** Widths of the columns of a grid, estimated from their first rows, so that the whole grid need not be measured. */

const SAMPLE_ROWS = 200;
const CHARACTER_PX = 7.9;
const PADDING_PX = 26;
const MIN_PX = 64;
const MAX_PX = 360;

/** Returns the width of each column in pixels. */
export function columnWidths(
  columns: readonly { name: string; type: string }[],
  rows: readonly (readonly (string | null)[])[],
): number[] {
  const sample = rows.slice(0, SAMPLE_ROWS);
  return columns.map(({ name, type }, index) => {
    const longest = sample.reduce((most, row) => Math.max(most, row[index]?.length ?? 4), 0);
    const characters = Math.max(name.length, Math.min(type.length, 24), longest);
    return Math.round(Math.min(MAX_PX, Math.max(MIN_PX, characters * CHARACTER_PX + PADDING_PX)));
  });
}
