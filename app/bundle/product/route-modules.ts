/**
 * Completes the route modules of a product: a page with a loader reads its data from `_payload.json`, and a page for signed-in
 * users loads the sidebar with its code, as the built-in pages do.
 */
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { routeIdOf, routeNameOf } from './product-folder.ts';
import { type RouteExports, readRouteExports } from './route-exports.ts';

const APP = resolve(import.meta.dirname, '..', '..').replaceAll('\\', '/');
const PAYLOAD = `${APP}/lib/payload/client-payload.ts`;
const SIDEBAR = `${APP}/shell/sidebar.tsx`;

/** The built-in page that needs no session; a route of a product with its URL does, unless it exports another guard. */
const NOT_FOUND = 'routes/not-found';
/** Built-in pages without the sidebar. */
const IDS_WITHOUT_SIDEBAR: ReadonlySet<string> = new Set([
  'routes/confirm',
  'routes/login',
  'routes/not-found',
  'routes/oauth-consent',
  'routes/sign-out',
]);

/** The built-in pages of the admin area check the visitor in their loaders, which a product replaces, too. */
const ADMIN_ID = /^routes\/admin(?:-|$)/;

/** Plugin for builds and development. */
export function completeRouteModules(): Plugin {
  return {
    name: 'product-route-modules',
    enforce: 'pre',
    transform(code, moduleId) {
      const [file = '', query] = moduleId.replaceAll('\\', '/').split('?', 2);
      const id = query === undefined ? routeIdOf(file) : undefined;
      if (id === undefined) return null;
      const name = routeNameOf(file);
      const found = readRouteExports(this.parse(code, { lang: /x$/.test(file) ? 'tsx' : 'ts' }), {
        name,
        code,
      });
      const lines = [...linesOfGuard(id, name, found), ...linesOfKind(id, found)];
      return lines.length === 0 ? null : { code: `${code}\n${lines.join('\n')}\n`, map: null };
    },
  };
}

/** A route in the place of a built-in one has a guard that is at least as strict as the default of the site. */
function linesOfGuard(id: string, name: string, { guard }: RouteExports): string[] {
  if (guard !== undefined) return [];
  if (ADMIN_ID.test(id)) return [`export const guard = 'admin';`];
  const isOpen = id === NOT_FOUND && !/\/not-found\.\w+$/.test(name);
  return isOpen ? [`export const guard = 'signedIn';`] : [];
}

function linesOfKind(id: string, { names, guard }: RouteExports): string[] {
  if (!names.has('default')) return ['export const isProductEndpoint = true;'];
  const hasPayload = names.has('loader') && !names.has('clientLoader');
  return [
    ...(hasPayload
      ? [
          `import { payloadLoader as payloadLoaderOfRoute } from ${JSON.stringify(PAYLOAD)};`,
          `export const clientLoader = payloadLoaderOfRoute(${JSON.stringify(id)});`,
        ]
      : []),
    ...(guard === 'public' || IDS_WITHOUT_SIDEBAR.has(id) ? [] : [`import ${JSON.stringify(SIDEBAR)};`]),
  ];
}
