/** The table of the specification: every line names a test, and every test that is named is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const page = readFileSync(join(ROOT, 'docs/specification.md'), 'utf8');

/** How many lines each section of the specification has. */
const LINES: Record<string, number> = { 1: 8, 2: 14, 3: 5, 4: 8, 5: 8, 6: 4, 7: 32, 8: 12, 9: 18 };

/** Cells of a section's rows. */
function rowsOf(section: string): string[][] {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}.`)) ?? '';
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) => line.slice(2, -2).split(' | '));
}

/** Files with the titles that are named after them. */
function referencesOf(cell: string): { file: string; title: string }[] {
  return [...cell.matchAll(/`([^`]+)` ((?:“[^”]+”(?:, (?=“))?)+)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title })),
  );
}

const rows = Object.keys(LINES).flatMap((section) =>
  rowsOf(section).map((cells) => ({
    section,
    line: cells[0] ?? '',
    references: referencesOf(cells.at(-1) ?? ''),
  })),
);

describe('the specification', () => {
  it.each(Object.entries(LINES))('section %s has %i lines', (section, count) => {
    expect(rowsOf(section)).toHaveLength(count);
  });

  it.each(rows)('$section: $line', ({ references }) => {
    expect(references).not.toEqual([]);
    for (const { file, title } of references) {
      expect(existsSync(join(ROOT, file)), file).toBe(true);
      expect(readFileSync(join(ROOT, file), 'utf8'), `${file}: ${title}`).toContain(title);
    }
  });
});
