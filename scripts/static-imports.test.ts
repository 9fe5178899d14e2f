/** The start loads only packages that every instance needs at once; all others are loaded when they are first used. */
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagesLoadedBy } from './static-imports.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['app', 'cli', 'platform', 'server', 'services'];

/** The modules that `greenroom start` loads by `import()`, in this order. */
const ENTRIES = [
  'cli/bundled-main.ts',
  'cli/main.ts',
  'cli/command-line.ts',
  'cli/run.ts',
  'cli/commands/start-instance.ts',
  'cli/serve-instance.ts',
  ...globSync('services/*/open.ts', { cwd: ROOT }).map((file) => file.replaceAll(sep, '/')),
  'server/pages.ts',
];

/** Packages that every instance needs before its first request, or with nearly every request. */
const NEEDED_AT_THE_START = new Set([
  '@fastify/static',
  '@iconify/utils',
  'commander',
  'fast-querystring',
  'fastify',
  // Fastify loads this package as well.
  'find-my-way',
  'jose',
  'lru-cache',
  'pg',
  'pino',
  'prom-client',
  'ws',
  'zod',
]);

describe('the start', () => {
  const loaded = packagesLoadedBy(ROOT, FOLDERS, ENTRIES);

  it('reaches all services and their packages', () => {
    const files = new Set(loaded.flatMap(({ path }) => path));
    expect(ENTRIES.filter((file) => file.startsWith('services/')).length).toBeGreaterThan(3);
    expect([...files]).toEqual(
      expect.arrayContaining(['services/auth/open.ts', 'platform/postgres/pool.ts']),
    );
    expect(loaded.map(({ name }) => name)).toEqual(expect.arrayContaining(['fastify', 'pg', 'zod']));
  });

  it('loads no package that can be loaded when it is first used', () => {
    const early = loaded
      .filter(({ name }) => !NEEDED_AT_THE_START.has(name))
      .map(({ name, path }) => `${name} must be loaded by import() on first use, not by ${path.join(' → ')}`);
    expect(early).toEqual([]);
  });
});

describe('packages loaded by a module', () => {
  let root: string;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'greenroom-imports-'));
    const files: Record<string, string> = {
      'house/package.json': '{ "name": "@x/house", "exports": { ".": "./index.ts" } }',
      'house/index.ts': "export { a } from './a.ts';\nexport type { T } from 'typed';",
      'house/a.ts':
        "import {\n  one,\n  two,\n} from '@scope/direct/part.js';\nimport 'effect';\nimport { type T } from 'emptied';",
      'house/lazy.ts': "import 'heavy';",
      'street/main.ts': [
        "import { readFileSync } from 'node:fs';",
        "import type { T } from 'typed';",
        "import { a } from '@x/house';",
        "const lazy = () => import('../house/lazy.ts');",
        "const later = async () => (await import('later')).default;",
      ].join('\n'),
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('are those of static imports with values, in all files that these reach', () => {
    const path = ['street/main.ts', 'house/index.ts', 'house/a.ts'];
    expect(packagesLoadedBy(root, ['house', 'street'], ['street/main.ts'])).toEqual([
      { name: '@scope/direct', path },
      { name: 'effect', path },
      // Node.js removes only the type, and still loads the package.
      { name: 'emptied', path },
    ]);
  });
});
