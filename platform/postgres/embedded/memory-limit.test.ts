import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Command, defaultMemoryLimitMb, withMemoryLimit } from './memory-limit.ts';

const GIGABYTE = 1024 ** 3;
const SERVER: Command = { program: '/bin/postgres', args: ['-D', 'a folder', '-c', "name='a value'"] };

it.each([
  [4, 512],
  [16, 512],
  [24, 768],
  [64, 2048],
  [1024, 2048],
])('the default limit on a machine with %i GB is %i MB', (gigabytes, limitMb) => {
  expect(defaultMemoryLimitMb(gigabytes * GIGABYTE)).toBe(limitMb);
});

it('returns the memory of this machine', () => {
  expect(defaultMemoryLimitMb()).toBeGreaterThanOrEqual(512);
});

it('returns the command unchanged without a limit or without a shell', () => {
  expect(withMemoryLimit(SERVER, 0)).toBe(SERVER);
  expect(withMemoryLimit(SERVER, 512, '/missing/sh')).toBe(SERVER);
});

/** Runs a command and returns its output. */
function run({ program, args }: Command): string {
  return execFileSync(program, args, { encoding: 'utf8' });
}

it.runIf(existsSync('/bin/sh'))('passes all arguments unchanged', () => {
  const args = ['%s|', 'two words', '\'quotes\' "and" $HOME', '', '*'];
  expect(run(withMemoryLimit({ program: 'printf', args }, 512))).toBe('two words|\'quotes\' "and" $HOME||*|');
});

it.runIf(process.platform === 'linux')('limits the memory of the process', () => {
  const limited = withMemoryLimit({ program: 'cat', args: ['/proc/self/limits'] }, 512);
  expect(run(limited)).toMatch(/^Max data size +536870912 +536870912 /m);
});

it.runIf(existsSync('/bin/sh'))('runs the command without a limit if the system rejects it', () => {
  const inner = withMemoryLimit({ program: 'echo', args: ['runs'] }, 1024);
  // The shell function stands in for a system that rejects the new limit.
  const command = { program: '/bin/sh', args: ['-c', `ulimit () { return 1; }; ${inner.args[1]}`] };
  expect(run({ ...command, args: [...command.args, ...inner.args.slice(2)] })).toBe('runs\n');
});
