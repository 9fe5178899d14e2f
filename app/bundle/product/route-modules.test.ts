import { parseSync } from 'vite';
import { afterEach, describe, expect, it } from 'vitest';
import { shareRouteIds } from './product-folder.ts';
import { completeRouteModules } from './route-modules.ts';

const ENDPOINT = 'export function loader() {}';
const PAGE = 'export default () => null;';

/** Returns the lines that the build adds to a route of a product. */
function addedLines(file: string, id: string, code: string): string {
  shareRouteIds(new Map([[file, id]]));
  const transform = completeRouteModules().transform as unknown as (
    this: object,
    code: string,
    id: string,
  ) => { code: string } | null;
  const context = { parse: (text: string) => parseSync('route.tsx', text).program };
  const result = transform.call(context, code, file);
  return result?.code.slice(code.length) ?? '';
}

describe('completeRouteModules', () => {
  afterEach(() => shareRouteIds(new Map()));

  it.each([
    ['the page for all other paths', '/shop/app/routes/$.ts', 'routes/not-found', 'signedIn'],
    ['a page of the admin area', '/shop/app/routes/admin.users.ts', 'routes/admin-users', 'admin'],
  ])('guards an endpoint in place of %s', (_title, file, id, guard) => {
    expect(addedLines(file, id, ENDPOINT)).toContain(`export const guard = '${guard}';`);
  });

  it('keeps the guard of a route', () => {
    const code = `export const guard = 'public';\n${ENDPOINT}`;
    expect(addedLines('/shop/app/routes/_index.ts', 'routes/index', code)).not.toContain('guard');
  });

  it('leaves the page for unknown paths open', () => {
    expect(addedLines('/shop/app/routes/not-found.tsx', 'routes/not-found', PAGE)).not.toContain('guard');
  });

  it('changes no module that is no route', () => {
    shareRouteIds(new Map());
    const transform = completeRouteModules().transform as unknown as (code: string, id: string) => unknown;
    expect(transform(PAGE, '/shop/app/ui/brand.tsx')).toBeNull();
  });
});
