import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { declareComponents } from './reexported-components.ts';

describe('declareComponents', () => {
  it.each([
    [
      'the component and other exports of a module',
      `export { default, loader } from 'a';`,
      `export { loader } from 'a';\nimport { default as Reexporteddefault } from 'a';\nexport default Reexporteddefault;\n`,
    ],
    [
      'another name of a module, and its error boundary',
      `export { Page as default, ErrorBoundary } from 'a';`,
      [
        '',
        `import { Page as Reexporteddefault } from 'a';`,
        'export default Reexporteddefault;',
        `import { ErrorBoundary as ReexportedErrorBoundary } from 'a';`,
        'export const ErrorBoundary = ReexportedErrorBoundary;',
        '',
      ].join('\n'),
    ],
    [
      'a function of the module itself',
      'function Page() {}\nexport { Page as default };',
      'function Page() {}\n\nexport default Page;\n',
    ],
  ])('declares %s', (_title, code, expected) => {
    expect(declareComponents(code, parseAst)).toBe(expected);
  });

  it.each([`export { loader } from 'a';`, 'export default () => null;', `export * as all from 'a';`])(
    'leaves %s unchanged',
    (code) => {
      expect(declareComponents(code, parseAst)).toBe(code);
    },
  );
});
