/** How the app is bundled: for browsers in hashed chunks, for the server as files that need no package at run time. */
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { guardedRouteModules } from './bundle/guarded-route-modules.ts';
import { findShell } from './bundle/shell.ts';

const FRAMEWORK =
  /node_modules[\\/](react|react-dom|react-router|scheduler|@remix-run[\\/]route-pattern)[\\/]/;

const shell = findShell();

export default defineConfig(({ command }) => ({
  plugins: [guardedRouteModules(), shell.plugin, tailwindcss(), reactRouter()],
  // Outside of the sources: the router takes every file that comes or goes among them for a new route.
  cacheDir: '../node_modules/.vite/greenroom-app',
  // Loaded late; were they found only then, the first page in development would reload.
  optimizeDeps: {
    include: ['@supabase/ssr', 'cmdk', 'radix-ui', 'react-dom/client', 'react-router/dom', 'tus-js-client'],
  },
  // React and the router choose their production code when they are bundled, whatever NODE_ENV says at run time.
  ...(command === 'build' && {
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  }),
  // Files find each other beside themselves, wherever a site has them.
  experimental: { renderBuiltUrl: (_file, { ssr }) => (ssr ? undefined : { relative: true }) },
  // The content security policy allows no data: scripts or fonts; a hashed file also caches better.
  build: {
    assetsInlineLimit: 0,
    // These know light-dark(). Written for older ones, a part of a page could not have the other mode.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
  // What changes only with a package is one file: it stays in browsers' caches, and compresses better than many.
  environments: {
    // A running server must find all of its build, though a newer one has taken its place on the disk.
    ssr: { build: { rolldownOptions: { output: { codeSplitting: false } } } },
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
