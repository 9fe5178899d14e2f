/** The table of the specification: every line names a test, and every named test exists, under its whole title. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesWith, findTests } from './find-tests.ts';
import { namedTests, tableRows } from './named-tests.ts';

const ROOT = join(import.meta.dirname, '..');
const page = readFileSync(join(ROOT, 'docs/specification.md'), 'utf8');

/** Number of lines in each section of the specification. */
const LINES: Record<string, number> = { 1: 8, 2: 14, 3: 5, 4: 8, 5: 8, 6: 4, 7: 32, 8: 12, 9: 18 };

const tests = findTests(ROOT);

/** Returns the cells of a section's rows. */
function rowsOf(section: string): string[][] {
  return tableRows(page.split(/^## /m).find((part) => part.startsWith(`${section}.`)) ?? '');
}

const rows = Object.keys(LINES).flatMap((section) =>
  rowsOf(section).map((cells) => ({
    section,
    line: cells[0] ?? '',
    references: namedTests(cells.at(-1) ?? ''),
  })),
);

describe('the specification', () => {
  it.each(Object.entries(LINES))('section %s has %i lines', (section, count) => {
    expect(rowsOf(section)).toHaveLength(count);
  });

  it.each(rows)('section $section has existing tests for: $line', ({ references }) => {
    expect(references).not.toEqual([]);
    for (const { file, title } of references) expect(filesWith(title, tests), title).toEqual([file]);
  });
});
