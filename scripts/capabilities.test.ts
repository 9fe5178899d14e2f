/**
 * The lists of capabilities in docs/capabilities.md, and of functions, jobs, backups and the admin area: every row names tests that exist, under their
 * whole titles, or trials, and every command, error code and function of SQL is in a row.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../cli/run.ts';
import { filesWith, findTests } from './find-tests.ts';
import { namedTests, namedTrials, tableRows } from './named-tests.ts';
import { TRIALS } from './trials/catalogue.ts';

const ROOT = join(import.meta.dirname, '..');
const HEADING = '\n## Capabilities\n';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const tests = findTests(ROOT);

/** Returns the rows of the list of a page. */
function capabilitiesOf(page: string): { capability: string; evidence: string }[] {
  const [, list = ''] = read(`docs/${page}`).split(HEADING);
  const rows = tableRows(list.split('\n## ')[0] ?? '');
  return rows.map((cells) => ({ capability: cells[0] ?? '', evidence: cells.at(-1) ?? '' }));
}

/** Returns the rows of the lists of all sections of the page of the admin area. */
function capabilitiesOfAdmin(): { capability: string; evidence: string }[] {
  const sections = read('docs/reference/admin.md').split('\n## ').slice(1);
  return sections.flatMap((section) => {
    const [name = ''] = section.split('\n', 1);
    const list = section.split('\n| Capability | Test |\n')[1]?.split('\n\n')[0];
    const rows = tableRows(`| Capability | Test |\n${list}`);
    return rows.map((cells) => ({ capability: `${name}: ${cells[0]}`, evidence: cells.at(-1) ?? '' }));
  });
}

/** Returns the names in code style, without arguments and values. */
function codeIn(capabilities: readonly { capability: string }[]): string[] {
  const text = capabilities.map(({ capability }) => capability).join('\n');
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

const functions = capabilitiesOf('reference/functions.md');
const jobs = capabilitiesOf('reference/jobs.md');

describe.each([
  ['functions.md', functions],
  ['jobs.md', jobs],
  ['products', capabilitiesOf('capabilities.md')],
  ['backups', capabilitiesOf('operate/backup.md')],
  ['the admin area', capabilitiesOfAdmin()],
])('the capabilities of %s', (_page, capabilities) => {
  it('are listed once', () => {
    const names = capabilities.map(({ capability }) => capability);
    expect(names).not.toEqual([]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(capabilities)('have existing tests or trials for: $capability', ({ evidence }) => {
    const [named, trials] = [namedTests(evidence), namedTrials(evidence)];
    expect([...named, ...trials]).not.toEqual([]);
    expect(TRIALS.map(({ name }) => name)).toEqual(expect.arrayContaining(trials));
    for (const { file, title } of named) expect(filesWith(title, tests), title).toEqual([file]);
  });
});

it('each command and each error code of functions is listed', () => {
  const commands = PROGRAM.commands.map(({ path }) => path.join(' '));
  const codes = [...read('services/functions/errors.ts').matchAll(/^ {2}([A-Z_]+): \{ status/gm)];
  const expected = [
    ...commands.filter((name) => /^(functions|secrets) /.test(name)).map((name) => `greenroom ${name}`),
    ...codes.map(([, code = '']) => code),
  ];
  const listed = codeIn(functions);
  expect(expected.length).toBeGreaterThan(15);
  expect(expected.filter((name) => !listed.includes(name))).toEqual([]);
});

it('each public function of SQL in the schemas of jobs is listed', () => {
  const files = globSync(['platform/postgres/extensions/*/*.sql', 'services/jobs/migrations/*.sql'], {
    cwd: ROOT,
  });
  const defined = files.flatMap((file) => [
    ...read(file).matchAll(
      /create (?:or replace )?function ((?:cron|net|pgmq|vault|supabase_functions)\.[a-z]\w*)/g,
    ),
  ]);
  const names = new Set(defined.map(([, name = '']) => name));
  const listed = codeIn(jobs);
  expect(names.size).toBeGreaterThan(25);
  expect([...names].filter((name) => !listed.includes(name))).toEqual([]);
});
