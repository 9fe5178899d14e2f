/** The reference of functions: bare Deno, which serves the same handler on a Unix socket. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findDeno } from '@greenroom/functions/deno-program';
import { openConnection, requestWriter } from '../measure/raw-http.ts';
import { FUNCTIONS } from './project.ts';

/** A running server. */
interface BareDeno {
  /** URL of its Unix socket. */
  url: string;
  stop(): Promise<void>;
}

/** Starts Deno with files in a folder; resolves when it has answered a request. */
export async function startBareDeno(folder: string): Promise<BareDeno> {
  const program = findDeno();
  if (program === undefined) throw new Error('Deno is not installed');
  const script = join(folder, 'bare.ts');
  const socket = join(folder, 'bare.sock');
  await writeFile(script, FUNCTIONS.hello ?? '');
  await rm(socket, { force: true });
  const child = spawn(program, ['run', '--quiet', '--no-config', '--allow-all', script], {
    env: { DENO_DIR: join(folder, 'deno'), DENO_SERVE_ADDRESS: `unix:${socket}`, DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `unix:${socket}`;
  while (!(await responds(url))) {
    if (child.exitCode !== null) throw new Error(`Deno exited with code ${child.exitCode}`);
    await sleep(1);
  }
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function responds(url: string): Promise<boolean> {
  return openConnection(url)
    .send(requestWriter('GET', { connection: 'close' })('/'))
    .then(
      () => true,
      () => false,
    );
}
