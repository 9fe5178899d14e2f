/**
 * Completes the route modules of a product: a page with a loader reads its data from `_payload.json`, and a page for signed-in
 * users loads the sidebar with its code, as the built-in pages do.
 */
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { routeIdOf } from './product-folder.ts';

const APP = resolve(import.meta.dirname, '..', '..').replaceAll('\\', '/');
const PAYLOAD = `${APP}/lib/payload/client-payload.ts`;
const SIDEBAR = `${APP}/shell/sidebar.tsx`;

/** Built-in pages that need no session; pages of a product with the same URLs do, unless they export another guard. */
const OPEN_IDS: ReadonlySet<string> = new Set(['routes/index', 'routes/not-found']);

/** Built-in pages without the sidebar. */
const IDS_WITHOUT_SIDEBAR: ReadonlySet<string> = new Set([
  'routes/confirm',
  'routes/login',
  'routes/not-found',
  'routes/oauth-consent',
  'routes/sign-out',
]);

/** Exports of a route module that are relevant here. */
interface RouteExports {
  names: ReadonlySet<string>;
  isPublic: boolean;
}

const NO_EXPORT_ALL =
  "export * is not allowed in a page. Allowed: the names, e.g. export { default, loader, action } from '…'";

/** Plugin for builds and development. */
export function completeRouteModules(): Plugin {
  return {
    name: 'product-route-modules',
    enforce: 'pre',
    transform(code, moduleId) {
      const [file = '', query] = moduleId.replaceAll('\\', '/').split('?', 2);
      const id = query === undefined ? routeIdOf(file) : undefined;
      if (id === undefined) return null;
      const program = this.parse(code, { lang: /x$/.test(file) ? 'tsx' : 'ts' }) as unknown as Program;
      if (exportsAll(program)) this.error(`${file}: ${NO_EXPORT_ALL}`);
      const { names, isPublic } = exportsOf(program);
      if (!names.has('default')) return null;
      const lines = [
        ...(names.has('loader') && !names.has('clientLoader')
          ? [
              `import { payloadLoader as payloadLoaderOfRoute } from ${JSON.stringify(PAYLOAD)};`,
              `export const clientLoader = payloadLoaderOfRoute(${JSON.stringify(id)});`,
            ]
          : []),
        ...(OPEN_IDS.has(id) && !/\/not-found\.\w+$/.test(file) && !names.has('guard')
          ? [`export const guard = 'signedIn';`]
          : []),
        ...(isPublic || IDS_WITHOUT_SIDEBAR.has(id) ? [] : [`import ${JSON.stringify(SIDEBAR)};`]),
      ];
      return lines.length === 0 ? null : { code: `${code}\n${lines.join('\n')}\n`, map: null };
    },
  };
}

/** The parts of a syntax tree that are read here. */
interface Program {
  body: readonly Statement[];
}

interface Statement {
  type: string;
  /** `type` in `export type * from '…'`. */
  exportKind?: string;
  exported?: Name | null;
  declaration?: {
    id?: Name | null;
    declarations?: readonly {
      id: Name;
      init?: { type: string; value?: unknown; expression?: object } | null;
    }[];
  } | null;
  specifiers?: readonly { exported: Name }[];
}

/** An identifier, or a text in its place. */
interface Name {
  name?: string;
  value?: string;
}

/** The router does not see the names of `export * from '…'`. */
function exportsAll({ body }: Program): boolean {
  return body.some(({ type, exportKind }) => type === 'ExportAllDeclaration' && exportKind !== 'type');
}

function exportsOf({ body }: Program): RouteExports {
  const names = new Set<string>();
  let isPublic = false;
  for (const { type, declaration, specifiers = [] } of body) {
    if (type === 'ExportDefaultDeclaration') names.add('default');
    if (type !== 'ExportNamedDeclaration') continue;
    for (const { exported } of specifiers) names.add(exported.name ?? exported.value ?? '');
    if (declaration?.id?.name) names.add(declaration.id.name);
    for (const { id, init } of declaration?.declarations ?? []) {
      names.add(id.name ?? '');
      const expression = init && 'expression' in init ? (init.expression as { value?: unknown }) : init;
      if (id.name === 'guard' && expression && 'value' in expression)
        isPublic = expression.value === 'public';
    }
  }
  return { names, isPublic };
}
