import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LINTS } from './lints.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'check-a-database.md');

it('the documentation lists each lint with its level and type', () => {
  const rows = readFileSync(PAGE, 'utf8').matchAll(
    /^\| (`.*`) \| (info|warn|error) \| (security|performance) \|/gm,
  );
  const documented = [...rows].flatMap(([, names = '', level = '', type = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, level.toUpperCase(), type.toUpperCase()]),
  );
  expect(documented).toEqual(LINTS.map(({ name, level, category }) => [name, level, category]));
});
