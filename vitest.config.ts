import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** A busy machine may be slow; only what never comes is a failure. */
const TIMEOUTS = {
  testTimeout: 120_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 20_000 } },
} as const;

const APP = fileURLToPath(new URL('app/', import.meta.url));

/** Characters of a value that a title shows. The default of 40 cuts row names. */
const TITLES = { taskTitleValueFormatTruncate: 120 } as const;

export default defineConfig({
  test: {
    tags: [{ name: 'trial', description: 'Too long for `npm test`; `npm run trials` runs it.' }],
    // Tests often wait for a database or a socket, so there are more workers than processors; more than three are not
    // faster on two processors.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // No test replaces modules or keeps anything in them, so the files of a worker may share what they import: `isolate`
    // is off in each.
    projects: [
      {
        test: {
          name: 'server',
          include: ['{bench,cli,e2e,platform,scripts,server,services}/**/*.test.ts', 'create/*.test.ts'],
          isolate: false,
          // Node.js runs these sources as they are, so Vite would only add time.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          globalSetup: ['platform/testing/global-setup.ts'],
          setupFiles: ['platform/testing/property-seed.ts'],
          ...TIMEOUTS,
          ...TITLES,
        },
      },
      {
        resolve: {
          // Products import the app by the names that the package exports.
          alias: [
            { find: /^greenroom\/app$/, replacement: `${APP}product/index.ts` },
            { find: /^greenroom\/app\/server$/, replacement: `${APP}product/index.server.ts` },
            { find: /^greenroom\/app\/(?=.)/, replacement: APP },
          ],
        },
        test: {
          name: 'app',
          include: ['{app,demo}/**/*.test.{ts,tsx}'],
          isolate: false,
          setupFiles: ['platform/testing/property-seed.ts'],
          ...TIMEOUTS,
          ...TITLES,
        },
      },
    ],
  },
});
