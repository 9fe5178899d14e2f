/**
 * Tests the installation: clones the checked-out commit, installs and starts it with the README's command. The pages
 * respond, the official client signs up a user, and the instance stops with exit code 0. After the second start, the
 * user can sign in. Prints one line with the times and the size of the packages.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@supabase/supabase-js';

const ROOT = join(import.meta.dirname, '..');
const START_TIMEOUT_MS = 15 * 60_000;
const CREDENTIALS = { email: 'ada@example.org', password: 'correct horse battery' };

const folder = mkdtempSync(join(tmpdir(), 'greenroom-installation-'));
chmodSync(folder, 0o711);
try {
  execFileSync('git', ['clone', '--quiet', ROOT, folder]);
  const first = await startAndUse('signUp');
  const secondStart = await startAndUse('signInWithPassword');
  const size = execFileSync('du', ['-sm', join(folder, 'node_modules')], { encoding: 'utf8' }).split('\t')[0];
  print(`installed in ${first.seconds} s, ${size} MB of packages; started again in ${secondStart.seconds} s`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the clone, signs a user up or in, and stops it. Throws if one of these fails. */
async function startAndUse(action: 'signUp' | 'signInWithPassword'): Promise<{ seconds: number }> {
  const start = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      XDG_STATE_HOME: join(folder, '.greenroom-state'),
      PORT: '0',
      GREENROOM_DB_PORT: '0',
      GREENROOM_MAILBOX_ENABLED: 'false',
      LOG_LEVEL: 'warn',
    },
  });
  try {
    const url = await waitUntilReady(child);
    const seconds = Math.round((performance.now() - start) / 1000);
    await expectPage(`${url}/login`);
    const client = createClient(url, publicKey(), { auth: { persistSession: false } });
    const { data, error } = await client.auth[action](CREDENTIALS);
    if (error !== null || data.user === null) throw new Error(`${action}: ${error?.message ?? 'no user'}`);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`npm start ended with ${code} after SIGTERM`);
    return { seconds };
  } finally {
    child.kill('SIGTERM');
  }
}

async function waitUntilReady(child: ChildProcess): Promise<string> {
  const timer = setTimeout(() => child.kill('SIGTERM'), START_TIMEOUT_MS);
  if (child.stdout === null) throw new Error('the output of npm start is not read');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^ready (http:\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    clearTimeout(timer);
    child.stdout.resume();
    return url;
  }
  throw new Error('npm start ended before it was ready');
}

async function expectPage(url: string): Promise<void> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200 || !text.includes('<form'))
    throw new Error(`${url} is no sign-in page: ${response.status}`);
}

/** Returns the key of the running instance, as the command line prints it. */
function publicKey(): string {
  const output = execFileSync('npx', ['greenroom', 'status', '-o', 'env'], { cwd: folder, encoding: 'utf8' });
  const [, key] = /^ANON_KEY="?([^"\n]+)"?$/m.exec(output) ?? [];
  if (key === undefined) throw new Error('greenroom status prints no ANON_KEY');
  return key;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
