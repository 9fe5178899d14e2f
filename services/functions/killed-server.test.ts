/** Functions of a server that is killed. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findLauncher } from './runtime/launcher.ts';

const isLaunched = (await findLauncher()).length > 0;

it.runIf(isLaunched)('a function that never rests ends with its server, also if that is killed', async () => {
  const script = join(import.meta.dirname, 'testing/endless-server.ts');
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-killed-'));
  await chmod(folder, 0o711);
  const server = spawn(process.execPath, [script], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let pid = '';
  for await (const chunk of server.stdout) {
    pid += String(chunk);
    if (pid.endsWith('\n')) break;
  }
  expect(existsSync(`/proc/${pid.trim()}/stat`)).toBe(true);
  server.kill('SIGKILL');
  await expect.poll(() => existsSync(`/proc/${pid.trim()}/stat`)).toBe(false);
  await rm(folder, { recursive: true });
});
