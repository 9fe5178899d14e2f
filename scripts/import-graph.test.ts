import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cyclesOf, foldersOf, importGraph } from './import-graph.ts';
import { unusedExports } from './unused-exports.ts';

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'greenroom-graph-'));
  const files: Record<string, string> = {
    'house/package.json': '{ "name": "@x/house", "exports": { ".": "./index.ts" } }',
    'house/index.ts': "export { a } from './a/one.ts';",
    'house/a/one.ts': "import type { B } from '../b/one.ts';\nexport const a = 1;",
    'house/a/two.ts': 'export const two = 2;',
    'house/b/one.ts': "import { two } from '../a/two.ts';\nexport type B = typeof two;",
    'house/c/left.ts': "const right = () => import('./right.ts');",
    'house/c/right.ts': "import type {} from './left.ts';",
    'house/c/right.test.ts': "import '../index.ts';",
    'street/main.ts': "import { a } from '@x/house';",
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});

afterAll(() => rmSync(root, { recursive: true }));

describe('the graph of imports', () => {
  it('includes type imports, dynamic imports and imports by package name, but no tests', () => {
    const graph = importGraph(root, ['house', 'street']);
    expect(graph.get('street/main.ts')).toEqual(new Set(['house/index.ts']));
    expect(graph.get('house/a/one.ts')).toEqual(new Set(['house/b/one.ts']));
    expect(graph.get('house/c/left.ts')).toEqual(new Set(['house/c/right.ts']));
    expect(graph.has('house/c/right.test.ts')).toBe(false);
  });

  it('finds files that import each other', () => {
    expect(cyclesOf(importGraph(root, ['house']))).toEqual([['house/c/left.ts', 'house/c/right.ts']]);
  });

  it('finds folders that import each other although none of their files do', () => {
    const house = foldersOf(importGraph(root, ['house'])).get('house');
    expect(house && cyclesOf(house)).toEqual([['a', 'b']]);
  });
});

describe('unused exports', () => {
  it('are those that no other file imports, by any import syntax', () => {
    expect(unusedExports(root, ['house', 'street'])).toEqual([]);
    writeFileSync(
      join(root, 'house/b/two.ts'),
      "export { two as second } from '../a/two.ts';\nexport class Lone {}",
    );
    expect(unusedExports(root, ['house', 'street'])).toEqual([
      'house/b/two.ts: Lone',
      'house/b/two.ts: second',
    ]);
  });
});
