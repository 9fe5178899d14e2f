/** The log of a process whose standard error is a pipe that is not read. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** More than the process keeps. */
const LINES = 60_000;

/** Starts a process that logs lines at once, and one more after a message. */
function startLogging(format: string): ChildProcess {
  const program = `
    import { openLog } from ${JSON.stringify(import.meta.resolve('./index.ts'))};
    const log = openLog({ logLevel: 'info', logFormat: '${format}' });
    process.on('message', () => {
      log.info('last');
      process.disconnect();
    });
    for (let number = 0; number < ${LINES}; number += 1) log.info({ number }, 'a line of the log');
    process.send('logged');`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

it('a process ends although its log is not read, and has written whole lines in order', async () => {
  const child = startLogging('json');
  await once(child, 'message');
  // Node.js discards an output that nothing reads at once.
  const written = new Promise<string>((resolve) => {
    child.once('exit', () => resolve(text(child.stderr as NodeJS.ReadableStream)));
  });
  child.send('end');
  const lines = (await written).split('\n').slice(0, -1);
  expect(child.exitCode).toBe(0);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.map((line) => JSON.parse(line).number)).toEqual(lines.map((_, index) => index));
});

it.each([
  ['json', /"level":40,.*"lines":(\d+),"msg":"lines of the log were dropped/],
  ['pretty', / warn .* lines of the log were dropped.* lines=(\d+)/],
])('a log in the format %s continues with the number of dropped lines', async (format, notice) => {
  const child = startLogging(format);
  await once(child, 'message');
  const lines: string[] = [];
  const found: number[] = [];
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    lines.push(line);
    const [, dropped] = notice.exec(line) ?? [];
    if (dropped === undefined) continue;
    found.push(Number(dropped));
    child.send('end');
  }
  expect(found).toEqual([expect.any(Number)]);
  expect(lines.at(-1)).toContain('last');
  // All lines, the notice and the last one.
  expect(lines.length + (found[0] ?? 0)).toBe(LINES + 2);
});
