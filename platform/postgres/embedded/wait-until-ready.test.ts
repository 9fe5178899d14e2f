import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { waitUntilReady } from './wait-until-ready.ts';

const READY = 'LOG:  database system is ready to accept connections';

/** A process that prints the output of a server, by a shell script. */
function spawnScript(script: string) {
  return spawn('sh', ['-c', `exec >&2; ${script}`], { stdio: ['ignore', 'ignore', 'pipe'] });
}

it('waits while the server logs the progress of a recovery, and forwards every line', async () => {
  const lines: string[] = [];
  const child = spawnScript(`for i in 1 2 3 4 5 6; do echo "redo $i"; sleep 0.5; done; echo '${READY}'`);
  await waitUntilReady(child, { idleMs: 2000 }, (line) => lines.push(line));
  expect(lines).toEqual(['redo 1', 'redo 2', 'redo 3', 'redo 4', 'redo 5', 'redo 6', READY]);
});

it('rejects if the server logs nothing for too long', async () => {
  const child = spawnScript('exec sleep 60');
  await expect(waitUntilReady(child, { idleMs: 50 }, () => {})).rejects.toThrow(
    'did not become ready in time',
  );
  child.kill();
});

it('rejects if the server is not ready in the total time, although it logs its progress', async () => {
  const child = spawnScript('while true; do echo redo; sleep 0.1; done');
  await expect(waitUntilReady(child, { idleMs: 60_000, totalMs: 500 }, () => {})).rejects.toThrow(
    'PostgreSQL did not accept connections within 0.5 s',
  );
  child.kill();
});

it('reports the last lines of a server that ends before it is ready', async () => {
  const child = spawnScript('for i in 1 2 3 4 5 6; do echo "line $i"; done; exit 1');
  await expect(waitUntilReady(child, { idleMs: 5000 }, () => {})).rejects.toThrow(
    'PostgreSQL did not start: line 2 line 3 line 4 line 5 line 6',
  );
});

it('reports why a server cannot be run', async () => {
  const child = spawn('/no/such/postgres', { stdio: ['ignore', 'ignore', 'pipe'] });
  await expect(waitUntilReady(child, { idleMs: 5000 }, () => {})).rejects.toThrow(
    'could not be started: spawn /no/such/postgres ENOENT',
  );
});
