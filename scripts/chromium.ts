/** Finding a Chromium for the tests, or installing one where that is possible. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Path of a Chromium: CHROMIUM_PATH, the system's, one from apt (as root on Debian), or Playwright's own (then
 * undefined is returned: Playwright finds it itself). Throws, saying what to do, where none can be had.
 */
export function ensureChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const found = SYSTEM_PATHS.find(existsSync);
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && installWithApt())
    return '/usr/bin/chromium';
  if (run('playwright', ['install', 'chromium'])) return undefined;
  throw new Error(
    'The browser tests need Chromium. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to one.',
  );
}

function installWithApt(): boolean {
  process.stdout.write('installing Chromium (once)\n');
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], quiet);
  return (
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet) &&
    existsSync('/usr/bin/chromium')
  );
}

function run(command: string, words: string[], env: Record<string, string> = {}): boolean {
  const { status } = spawnSync(command, words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  return status === 0;
}
