/** The table of the specification: every line names a test, and every named test exists, under its whole title. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestTitle, testTitles } from './test-titles.ts';

const ROOT = join(import.meta.dirname, '..');
const page = readFileSync(join(ROOT, 'docs/specification.md'), 'utf8');

/** Number of lines in each section of the specification. */
const LINES: Record<string, number> = { 1: 8, 2: 14, 3: 5, 4: 8, 5: 8, 6: 4, 7: 32, 8: 12, 9: 18 };

const FILES = globSync('{app,bench,cli,e2e,platform,scripts,server,services}/**/*.{test,spec}.ts', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/build/**'],
});

interface FileTest extends TestTitle {
  file: string;
}

const tests: FileTest[] = FILES.flatMap((file) =>
  testTitles(file, readFileSync(join(ROOT, file), 'utf8')).map((test) => ({ file, ...test })),
);

/** Returns the cells of a section's rows. */
function rowsOf(section: string): string[][] {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}.`)) ?? '';
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) => line.slice(2, -2).split(' | '));
}

/** Returns the referenced files and titles of a cell. */
function referencesOf(cell: string): { file: string; title: string }[] {
  return [...cell.matchAll(/`([^`]+)` ((?:“[^”]+”(?:, (?=“))?)+)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title })),
  );
}

/** Returns the files of all tests that match a title; a reference is valid if the result is its own file, once. */
function filesWith(title: string, among: readonly FileTest[] = tests): string[] {
  return among.filter((test) => test.title === title || test.path === title).map(({ file }) => file);
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

  it.each(rows)('section $section has existing tests for: $line', ({ references }) => {
    expect(references).not.toEqual([]);
    for (const { file, title } of references) expect(filesWith(title), title).toEqual([file]);
  });
});

describe('a reference', () => {
  const among = [
    { file: 'a.test.ts', title: 'works', path: 'one › works' },
    { file: 'b.test.ts', title: 'works', path: 'two › works' },
    { file: 'b.test.ts', title: 'fails late', path: 'two › fails late' },
  ];

  it.each([
    ['the whole title of one test', 'fails late', ['b.test.ts']],
    ['a title with its group', 'one › works', ['a.test.ts']],
    ['a title of two tests', 'works', ['a.test.ts', 'b.test.ts']],
    ['the title of a group', 'two', []],
    ['the beginning of a title', 'fails', []],
    ['a word of the source', 'describe', []],
  ])('to %s is valid for the files %j', (_, title, files) => {
    expect(filesWith(title, among)).toEqual(files);
  });
});
