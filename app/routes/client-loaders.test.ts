import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const APP = join(import.meta.dirname, '..');
const modules = [
  ['root', 'root.tsx'],
  ...readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => [`routes/${name.slice(0, -'.tsx'.length)}`, `routes/${name}`]),
];

describe('routes', () => {
  it('have no path parameters', () => {
    const paths = [...readFileSync(join(APP, 'routes.ts'), 'utf8').matchAll(/route\('([^']*)'/g)].map(
      (route) => route[1],
    );
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path) => path !== '*' && !/^[a-z]+(?:[-/][a-z]+)*$/.test(path ?? ''))).toEqual([]);
  });

  it.each(modules)('load %s from the payload if it has data', (id, file) => {
    const source = readFileSync(join(APP, file ?? ''), 'utf8');
    const hasLoader = /^export (async )?function loader\b/m.test(source);
    const hasClientLoader = source.includes(
      `export const clientLoader = payloadLoader<typeof loader>('${id}');`,
    );
    expect(hasClientLoader).toBe(hasLoader);
  });
});
