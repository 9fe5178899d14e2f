import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst, transformWithOxc } from 'vite';
import { describe, expect, it } from 'vitest';
import { removeExports } from './remove-exports.ts';

const NAMES: ReadonlySet<string> = new Set(['action', 'headers', 'loader', 'middleware']);
const PAGES = join(import.meta.dirname, '..', '..', 'routes');

function remove(code: string): string {
  return removeExports(code, { names: NAMES, parse: parseAst });
}

describe('removeExports', () => {
  it.each([
    ['a function', 'export async function loader() {}', ''],
    ['a constant', 'export const headers = () => ({});', ''],
    [
      'a name of a list',
      'const a = 1, b = 2;\nexport { a as loader, b };',
      'const a = 1, b = 2;\nexport { b };',
    ],
    [
      'a name of another module',
      `export { loader, a as default } from 'x';`,
      `export { a as default } from 'x';`,
    ],
    ['all names of a list', `export { loader, action } from 'x';`, ''],
  ])('removes %s', (_title, code, expected) => {
    expect(remove(code)).toBe(expected);
  });

  it('removes imports, and functions between them and the export', () => {
    const code = [
      `import { a, b as c } from 'a';`,
      `import d, { e } from 'd';`,
      `import * as f from 'f';`,
      `import 'styles.css';`,
      'const g = f.g;',
      'function load(value) { return value > 0 ? load(value - 1) : c(g); }',
      'export const loader = () => load(e);',
      'export default () => a(d, { load: 1 }).c;',
    ].join('\n');
    expect(remove(code)).toBe(
      [
        `import { a } from 'a';`,
        `import d from 'd';`,
        '',
        `import 'styles.css';`,
        '',
        '',
        '',
        'export default () => a(d, { load: 1 }).c;',
      ].join('\n'),
    );
  });

  it('keeps names that other exports use, and the numbers of lines', () => {
    const code = `import {\n  a,\n  b,\n} from 'a';\nexport const loader = () => {\n  a();\n};\nexport const c = { b };\n`;
    expect(remove(code)).toBe(`import { b } from 'a';\n\n\n\n\n\n\nexport const c = { b };\n`);
  });

  it('leaves a module without these exports unchanged', () => {
    const code = `import { unused } from 'a';\nexport const clientLoader = 1;`;
    expect(remove(code)).toBe(code);
  });
});

describe('the built-in pages', () => {
  const pages = readdirSync(PAGES).filter((name) => name.endsWith('.tsx'));

  it.each(pages)('%s imports no code for the server without its exports for the server', async (name) => {
    const source = readFileSync(join(PAGES, name), 'utf8');
    const { code } = await transformWithOxc(source, name);
    const result = remove(code);
    expect(result).not.toMatch(/\.server\.ts|export (?:async )?(?:function|const) (?:loader|action)\b/);
    expect(result).toContain('export default function');
  });
});
