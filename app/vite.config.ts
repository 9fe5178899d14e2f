/**
 * The bundling of the app: hashed chunks for browsers, and files for the server that need no package at run
 * time.
 */

import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { asciiOutput, LICENSES_ONLY } from '@greenroom/builds';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, searchForWorkspaceRoot } from 'vite';
import { originalPages } from './bundle/product/original-pages.ts';
import { recordOutsideSources } from './bundle/product/outside-sources.ts';
import { productAppFolder } from './bundle/product/product-folder.ts';
import { productStyles } from './bundle/product/product-styles.ts';
import { reexportedComponents } from './bundle/product/reexported-components.ts';
import { resolveProduct } from './bundle/product/resolve-product.ts';
import { completeRouteModules } from './bundle/product/route-modules.ts';
import { ownRouterModules } from './bundle/router-modules.ts';
import { findShell } from './bundle/shell.ts';
import { dropUnusedModules } from './bundle/unused-modules.ts';

const FRAMEWORK =
  /node_modules[\\/](react|react-dom|react-router|scheduler|@remix-run[\\/]route-pattern)[\\/]/;

const shell = findShell();
const product = productAppFolder();
/** Next to the package of the app, where npm installs that into a product. */
const fonts = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/inter/package.json'));

export default defineConfig(({ command }) => ({
  plugins: [
    ownRouterModules(),
    resolveProduct(),
    completeRouteModules(),
    originalPages(),
    reexportedComponents(),
    productStyles(),
    dropUnusedModules(),
    recordOutsideSources(),
    shell.plugin,
    tailwindcss(),
    reactRouter(),
    asciiOutput(),
  ],
  // A product may have copies of these packages; two of them do not work together.
  resolve: { dedupe: ['react', 'react-dom', 'react-router', '@supabase/ssr', '@supabase/supabase-js'] },
  server: {
    fs: { allow: [searchForWorkspaceRoot(import.meta.dirname), fonts, ...(product ? [product] : [])] },
  },
  // Outside of the sources, because the router treats every file that is created or deleted there as a
  // change of routes.
  cacheDir: '../node_modules/.vite/greenroom-app',
  // Dynamic imports: if they were discovered on first use, the first page in development would reload.
  optimizeDeps: {
    include: [
      '@supabase/ssr',
      'cmdk',
      'cookie',
      'lru-cache',
      'radix-ui',
      'react-dom',
      'react-dom/client',
      'react-router/dom',
    ],
  },
  // React and the router select their production code when they are bundled, independently of NODE_ENV at
  // run time.
  ...(command === 'build' && {
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  }),
  // Files refer to each other by relative URLs, so that a site can serve them from any path.
  experimental: { renderBuiltUrl: (_file, { ssr }) => (ssr ? undefined : { relative: true }) },
  // The content security policy forbids scripts and fonts as data URLs; hashed files also cache better.
  build: {
    assetsInlineLimit: 0,
    // Every page links the one stylesheet. If chunks named it, too, the first dynamic import of a page would link it a
    // second time (under another URL), and the browser would compute all styles again.
    cssCodeSplit: false,
    // These browsers support light-dark(). For older targets it would be replaced, and a part of a page
    // could not have the other mode.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
  // One file for code that changes only with a package update: it stays in browsers' caches, and compresses
  // better than many.
  environments: {
    // A single file, so that a running server has loaded its whole build even after a newer one has
    // replaced it on disk.
    ssr: { build: { rolldownOptions: { output: { codeSplitting: false, comments: LICENSES_ONLY } } } },
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'framework', test: FRAMEWORK },
                { name: 'shell', test: shell.has },
              ],
            },
          },
        },
      },
    },
  },
}));
