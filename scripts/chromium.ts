/** Finds a Chromium for the tests, or installs one if possible. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';

/** Debian's headless Chromium: tests with it take two thirds of the time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Returns the path of a Chromium: CHROMIUM_PATH, Debian's headless one (installed from apt if this process is root),
 * the system's, or undefined for Playwright's own, which Playwright finds itself. Throws an error with instructions if
 * none is available.
 */
export function ensureChromium(): string | undefined {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) return configured;
  if (existsSync(HEADLESS_SHELL) || installWithApt()) return HEADLESS_SHELL;
  const found = SYSTEM_PATHS.find(existsSync);
  if (found) return found;
  if (run('playwright', ['install', 'chromium'])) return undefined;
  throw new Error(
    'The browser tests need Chromium. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to one.',
  );
}

/** Timeout of one run of apt, which retries for a long time on a machine without a network. */
const APT_TIMEOUT_MS = 180_000;

function installWithApt(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  process.stdout.write('installing Chromium (once)\n');
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: APT_TIMEOUT_MS };
  run('apt-get', ['update', '-qq'], options);
  const args = ['install', '-y', '-qq', '--no-install-recommends', basename(HEADLESS_SHELL)];
  return run('apt-get', args, options) && existsSync(HEADLESS_SHELL);
}

function run(command: string, args: string[], options: { env?: NodeJS.ProcessEnv; timeout?: number } = {}) {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options }).status === 0;
}
