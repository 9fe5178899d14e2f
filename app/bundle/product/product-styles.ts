/** Adds the styles of a product to those of all pages, after them, and finds the classes in its files. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { productAppFolder } from './product-folder.ts';

const OWN_STYLES = /[\\/]app[\\/]app\.css$/;
const IMPORT = '@import "tailwindcss" source(".");';

/** Plugin for builds and development. It runs before Tailwind CSS. */
export function productStyles(): Plugin {
  const product = productAppFolder();
  return {
    name: 'product-styles',
    enforce: 'pre',
    transform(code, id) {
      if (product === undefined || !OWN_STYLES.test(id)) return null;
      if (!code.includes(IMPORT)) throw new Error('app.css does not import Tailwind CSS as expected.');
      const path = join(product, 'styles.css');
      this.addWatchFile(path);
      const own = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const sources = `${IMPORT}\n@source ${JSON.stringify(product)};`;
      return { code: `${code.replace(IMPORT, sources)}\n${own}`, map: null };
    },
  };
}
