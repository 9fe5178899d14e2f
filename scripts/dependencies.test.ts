/** Every dependency has a line with its reason in docs/dependencies.md, and every line has a dependency. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const MANIFESTS = [
  'package.json',
  '{app,bench,bench/peer,cli,demo,e2e,examples,server,scripts/package/registry}/package.json',
  '{platform,services}/*/package.json',
];

it('docs/dependencies.md names exactly the dependencies of the package.json files', () => {
  const declared = globSync(MANIFESTS, { cwd: ROOT }).flatMap((file) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
  const documented = [...page.matchAll(/^\|\s*((?:`[^`]+`\s*)+)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]),
  );
  const foreign = new Set(declared.filter((name) => !/^(?:@greenroom\/|greenroom$)/.test(name)));
  expect(documented.toSorted()).toEqual([...foreign].toSorted());
});

it('the lock file contains no download addresses', () => {
  expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "https?:/);
});
