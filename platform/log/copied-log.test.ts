/** The log with a copy of its lines, on real standard error. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

it.each([
  ['silent', [], ['info', 'warn']],
  ['warn', ['warn'], ['info', 'warn']],
  ['info', ['info', 'warn'], ['info', 'warn']],
  ['debug', ['debug', 'info', 'warn'], ['debug', 'info', 'warn']],
])(
  'with the level %s a log prints the lines of its level, and copies all from info on',
  async (level, printed, copied) => {
    const program = `
    import { openLog } from ${JSON.stringify(import.meta.resolve('./index.ts'))};
    const log = openLog({ logLevel: '${level}', logFormat: 'json' }, { write: (line) => process.stdout.write(line) });
    log.debug('debug'); log.info('info'); log.child({}, { level: 'warn' }).warn('warn');`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const [errors, output] = await Promise.all([text(child.stderr), text(child.stdout)]);
    const messages = (lines: string) =>
      lines
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).msg);
    expect([messages(errors), messages(output)]).toEqual([printed, copied]);
  },
);
