import { describe, expect, it } from 'vitest';
import { importedModules } from './imported-modules.ts';

describe('importedModules', () => {
  it.each([
    [`import a from 'a';`, ['a']],
    [`import 'a';`, ['a']],
    [`import type { A } from 'a';`, ['a']],
    [`export { a } from 'a';`, ['a']],
    [`export * from 'a';`, ['a']],
    [`const a = await import('a');`, ['a']],
    ['const a = await import(`a`);', ['a']],
    [`let a: typeof import('a');`, ['a']],
    [`let a: import('a').A;`, ['a']],
    ['await import(name);', []],
    [`await import(\`$\{name}.ts\`);`, []],
    ["const text = `import a from 'a'; export { b } from 'b';`;", []],
    [`// import a from 'a'`, []],
    [`expect('a').toBe("from 'a'");`, []],
  ])('finds in %s the modules %j', (code, modules) => {
    expect(importedModules('a.ts', code)).toEqual(modules);
  });

  it('reads JSX', () => {
    expect(importedModules('a.tsx', `import b from 'b'; export const a = <p>from 'c'</p>;`)).toEqual(['b']);
  });

  it('names a file that cannot be read', () => {
    expect(() => importedModules('a.ts', 'const;')).toThrow('a.ts: ');
  });
});
