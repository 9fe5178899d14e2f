import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { readRouteExports } from './route-exports.ts';

function read(code: string) {
  const { program, errors } = parseSync('report.tsx', code);
  expect(errors).toEqual([]);
  return readRouteExports(program, { name: 'app/routes/report.tsx', code });
}

describe('readRouteExports', () => {
  it.each([
    `export const guard = 'admin';`,
    `export const guard: string = 'admin';`,
    `export const guard = 'admin' as const;`,
    `export const guard = 'admin' satisfies string;`,
    `export const other = 1, guard = "admin";`,
  ])('reads the guard of %s', (code) => {
    expect(read(code).guard).toBe('admin');
  });

  it('returns names of functions, variables, patterns and lists', () => {
    const { names, guard } = read(`
      import { a } from './a.ts';
      export { a, b as 'c' } from './a.ts';
      export * as d from './d.ts';
      export type { Guard } from './e.ts';
      export type GuardType = string;
      export const { loader, deep: [first, ...others], ...rest } = a, g = 1;
      export function action() {}
      export default () => null;
    `);
    expect([...names].sort()).toEqual(
      ['a', 'action', 'c', 'd', 'default', 'first', 'g', 'loader', 'others', 'rest'].sort(),
    );
    expect(guard).toBeUndefined();
  });

  it.each([
    `export const guard = 'members';`,
    `export const guard = 'Admin';`,
    `export const guard = '';`,
    'export const guard = `admin`;',
    `export const guard = process.env.GUARD;`,
    `export const guard = true ? 'public' : 'admin';`,
    `export let guard = 'public';`,
    `export var guard = 'public';`,
    `export function guard() {}`,
    `export class guard {}`,
    `const guard = 'public'; export { guard };`,
    `const other = 'public'; export { other as guard };`,
    `export { guard } from './guards.ts';`,
    `export * as guard from './guards.ts';`,
    `export const { guard } = { guard: 'public' };`,
    `export const [guard] = ['public'];`,
    `export const { ...guard } = {};`,
  ])('refuses a guard that is no constant: %s', (code) => {
    expect(() => read(`\n${code}`)).toThrow(
      `app/routes/report.tsx:2: this guard cannot be read. Allowed: export const guard = 'public' or 'signedIn' or 'admin'`,
    );
  });

  it.each(['Guard', 'GUARD', 'guards', 'guadr', 'gaurd', 'gard', 'guad', '_guard', 'routeGuard'])(
    'refuses the misspelt export %s',
    (name) => {
      const message = `app/routes/report.tsx:1: the export ${name} guards nothing.`;
      expect(() => read(`export const ${name} = 'admin';`)).toThrow(message);
      expect(() => read(`const own = 'admin'; export { own as ${name} };`)).toThrow(message);
    },
  );

  it.each(['meta', 'handle', 'card', 'Board', 'HydrateFallback'])('accepts the export %s', (name) => {
    expect(read(`export const ${name} = 1;`).names).toContain(name);
  });

  it('refuses export *, which may contain a guard', () => {
    expect(() => read(`export default 1;\nexport * from './guards.ts';`)).toThrow(
      'app/routes/report.tsx:2: export * is not allowed, because it hides the guard.',
    );
  });
});
