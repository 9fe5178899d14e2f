import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, 'main.ts');

it('a command exits with code 0 when its output pipe is closed', async () => {
  const child = spawn(process.execPath, [MAIN, 'config'], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([code, errors]).toEqual([0, '']);
});
