/**
 * Lets modules of a product import built-in pages, such as `greenroom/app/routes/login` in a file that replaces that page. The
 * router removes code for the server from routes only, and a replaced page is no route.
 */
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { productAppFolder } from './product-folder.ts';
import { removeExports } from './remove-exports.ts';

const PAGES = `${resolve(import.meta.dirname, '..', '..', 'routes').replaceAll('\\', '/')}/`;
/** Exports of a route module that the router removes for browsers, too. */
const SERVER_EXPORTS: ReadonlySet<string> = new Set(['action', 'headers', 'loader', 'middleware']);

/** Plugin for builds and development. It reads JavaScript, so it runs after the types were removed. */
export function originalPages(): Plugin {
  const product = productAppFolder();
  return {
    name: 'original-pages',
    applyToEnvironment: ({ config }) => product !== undefined && config.consumer === 'client',
    transform(code, id) {
      // The router adds a query to the modules of routes that it writes.
      if (id.includes('?') || !id.replaceAll('\\', '/').startsWith(PAGES)) return null;
      const withoutServerCode = removeExports(code, {
        names: SERVER_EXPORTS,
        parse: (text) => this.parse(text),
      });
      return { code: withoutServerCode, map: null };
    },
  };
}
