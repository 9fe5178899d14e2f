/** docs/reference/cli.md lists every command and option, with a test that exists, or with the reason why it is missing. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../cli/run.ts';
import { testTitles } from './test-titles.ts';

const ROOT = join(import.meta.dirname, '..');
const page = readFileSync(join(ROOT, 'docs/reference/cli.md'), 'utf8');

const titles = globSync('{app,cli,e2e,platform,scripts,server,services}/**/*.{test,spec}.ts', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/build/**'],
}).flatMap((file) => testTitles(file, readFileSync(join(ROOT, file), 'utf8')));

/** A name of a command or an option, e.g. `db reset --last`, and its last cell. */
interface Row {
  name: string;
  evidence: string;
}

const rows: Row[] = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [names = '', , evidence = ''] = line.slice(2, -2).split(' | ');
    return [...names.matchAll(/`([^`]+)`/g)].map(([, text = '']) => ({
      // Without arguments and values.
      name: text.replace(/ <.*$/, ''),
      evidence,
    }));
  });

/** The names that the program has. */
const defined = [
  ...Object.keys(PROGRAM.globalOptions).map((option) => `--${option}`),
  ...PROGRAM.commands.flatMap(({ path, options }) => [
    path.join(' '),
    ...Object.keys(options).map((option) => `${path.join(' ')} --${option}`),
  ]),
];

const REASON = /^(left out: .{10,}|not yet(: .{10,})?)$/;
const TITLE = /^“([^”]+)”$/;

describe('the reference of the command line', () => {
  it('lists each command and option once', () => {
    const names = rows.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(defined.filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(rows)('has a test or a reason for $name', ({ name, evidence }) => {
    if (!defined.includes(name) && name !== '--help') return expect(evidence).toMatch(REASON);
    const [, title] = TITLE.exec(evidence) ?? [];
    expect(title, 'the title of a test').toBeDefined();
    const found = titles.filter((test) => test.title === title || test.path === title);
    expect(found, title).toHaveLength(1);
  });
});
