import { defineConfig } from '@playwright/test';

/** Chromium's own services are not needed here, and access a network that a test machine may not have. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const executablePath = process.env.CHROMIUM_PATH;

/**
 * Sections of the admin area whose tests take minutes: the trial `admin` runs them (docs/trials.md). `npm test` runs those of the
 * overview, the policies, the mailbox and the guards, and checks the accessibility of each section.
 */
const ADMIN_TRIAL = ['users', 'tables', 'schema', 'sql', 'logs', 'settings', 'templates', 'offline', 'phone'];
const runsAdminTrial = process.env.GREENROOM_E2E_ADMIN === 'true';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  testIgnore: runsAdminTrial ? [] : ADMIN_TRIAL.map((name) => `**/admin-${name}.spec.ts`),
  globalSetup: './support/global-setup.ts',
  outputDir: '../test-results',
  // Pages wait for the network and for timers most of the time, so there are more browsers than the two processors.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A machine may be slow or busy, so the timeout only catches events that never happen.
  timeout: 180_000,
  // A busy machine can starve a browser; a test that passes only on a retry is listed as flaky.
  retries: 1,
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    launchOptions: { args: CHROMIUM_FLAGS, ...(executablePath && { executablePath }) },
  },
});
