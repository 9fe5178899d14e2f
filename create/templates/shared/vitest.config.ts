import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // The first start of an instance prepares a database.
    hookTimeout: 60_000,
    testTimeout: 60_000,
  },
});
