/**
 * Installs missing dependencies before any other script can run: runs `npm ci` if `node_modules` does not match the
 * lock file. Plain JavaScript, because it must run on any Node.js from version 20 on.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const STAMP = 'node_modules/.greenroom-installed';
const [major = 0] = process.versions.node.split('.').map(Number);

if (major < 20) {
  process.stderr.write(
    `error: Greenroom requires Node.js 20 or later, and this is ${process.version}. Install a newer version.\n`,
  );
  process.exit(1);
}

const expectedHash = createHash('sha256')
  .update(readFileSync('package-lock.json'))
  .update(`${process.platform} ${process.arch}`)
  .digest('hex');

if (installed() !== expectedHash) install();

function installed() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined;
  }
}

function install() {
  process.stdout.write('installing dependencies\n');
  const npm = process.env.npm_execpath;
  const [command, ...args] = npm ? [process.execPath, npm] : ['npm'];
  const { status } = spawnSync(
    command,
    [...args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      stdio: 'inherit',
      shell: !npm && process.platform === 'win32',
    },
  );
  if (status !== 0) {
    process.stderr.write('error: npm ci failed. See its output above.\n');
    process.exit(status ?? 1);
  }
  writeFileSync(STAMP, expectedHash);
}
