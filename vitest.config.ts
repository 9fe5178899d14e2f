import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['{bench,cli,platform,scripts,services}/**/*.test.ts'],
          globalSetup: ['platform/testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'app', include: ['app/**/*.test.{ts,tsx}'], testTimeout: 15_000 } },
    ],
  },
});
