/**
 * Resolves imports between Greenroom and a product: `greenroom/app` and the parts below it, and files of the product that
 * replace a part with the same relative name.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { productAppFolder } from './product-folder.ts';
import { productProblem } from './product-problem.ts';

const APP = resolve(import.meta.dirname, '..', '..').replaceAll('\\', '/');
const ENDINGS = ['', '.ts', '.tsx'];
const PACKAGE = 'greenroom/app';
const SERVER_MODULE = /\.server\.tsx?$/;
/**
 * Parts that a product may replace: what pages show, and its hooks. The guards, sessions and middleware are not replaceable,
 * so that a file with an accidental name changes no decision about access.
 */
const REPLACEABLE = /^(?:(?:features|shell|texts|ui)\/(?!.*\.server\.)|hooks\.server\.ts$)/;

/** Entries of the package for products. */
const ENTRIES: Readonly<Record<string, string>> = {
  '': 'product/index.ts',
  '/server': 'product/index.server.ts',
};

/** Plugin for builds and development. */
export function resolveProduct(): Plugin {
  const product = productAppFolder();
  return {
    name: 'resolve-product',
    enforce: 'pre',
    resolveId(source, importer, options) {
      if (product === undefined || importer === undefined) return null;
      const from = importer.split('?', 1)[0]?.replaceAll('\\', '/') ?? '';
      const target = targetOf(source, from);
      if (target === undefined) return null;
      // The router's own check does not see modules that this plugin resolves.
      const isForBrowsers = this.environment.config.consumer === 'client' && !isScan(options);
      if (isForBrowsers && source.startsWith(PACKAGE) && SERVER_MODULE.test(target)) {
        throw serverCode(source, relative(product, from).replaceAll('\\', '/'));
      }
      const name = target.slice(APP.length + 1);
      const replacement = replacementOf(name, product, from);
      if (replacement !== undefined) return replacement;
      // In development, Vite adds a version to the URLs of some files of packages; another URL would be another module.
      return source.startsWith(PACKAGE) ? this.resolve(target, importer, { skipSelf: true }) : null;
    },
  };
}

/** In development, the search for packages reads modules before the router removes their code for servers. */
function isScan(options: object): boolean {
  return 'scan' in options && options.scan === true;
}

function serverCode(source: string, importer: string): Error {
  return productProblem(
    `app/${importer}: ${source} would reach browsers. Allowed: its use in loader, action, middleware and headers of a route, ` +
      'and in files with a name that contains .server.',
  );
}

/** Returns the file of Greenroom that an import means; undefined for all other imports. */
function targetOf(source: string, from: string): string | undefined {
  if (source === PACKAGE || source.startsWith(`${PACKAGE}/`)) {
    const rest = source.slice(PACKAGE.length);
    return findFile(join(APP, ENTRIES[rest] ?? rest));
  }
  const isOwn =
    source.startsWith('.') && from.startsWith(`${APP}/`) && !from.includes('/node_modules/', APP.length);
  return isOwn ? findFile(join(dirname(from), source)) : undefined;
}

function replacementOf(name: string, product: string, from: string): string | undefined {
  if (!REPLACEABLE.test(name)) return undefined;
  const found = findFile(join(product, name.replace(/\.tsx?$/, '')));
  return found === from ? undefined : found;
}

function findFile(path: string): string | undefined {
  const plain = path.replaceAll('\\', '/');
  return ENDINGS.map((ending) => plain + ending).find((file) => /\.\w+$/.test(file) && existsSync(file));
}
