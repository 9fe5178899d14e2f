import { expect, it } from 'vitest';
import { writeJsonLines } from './log-output.ts';

it('writes a line of JSON for each line of text, with its level and without secrets', () => {
  const written: string[] = [];
  const output = { write: (text: unknown) => written.push(String(text)) > 0 };
  writeJsonLines(output as never);
  output.write('\n  app         http://localhost:1\n\u001b[31merror:\u001b[0m it failed\nwarning: a');
  output.write(' key\n{"level":40,"msg":"of the logger"}\n');
  output.write(Buffer.from('first admin http://localhost/admin?claim=secret\n'));
  const bytes = Buffer.from('für\n');
  for (const part of [bytes.subarray(0, 2), bytes.subarray(2)]) output.write(part);
  const lines = written.join('').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 30, time: expect.any(String), msg: 'app         http://localhost:1' },
    { level: 50, time: expect.any(String), msg: 'it failed' },
    { level: 40, time: expect.any(String), msg: 'a key' },
    { level: 40, msg: 'of the logger' },
    { level: 30, time: expect.any(String), msg: 'first admin http://localhost/admin?claim=(hidden)' },
    { level: 30, time: expect.any(String), msg: 'für' },
  ]);
});
