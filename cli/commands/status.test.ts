import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellQuoted } from './status.ts';

it.each([
  ['a plain text', 'eyJhbGciOiJIUzI1NiJ9.e30.x_y-z', '"eyJhbGciOiJIUzI1NiJ9.e30.x_y-z"'],
  ['a variable', 'a$HOME$1b', '"a\\$HOME\\$1b"'],
  ['a command', 'a`id`$(id)b', '"a\\`id\\`\\$(id)b"'],
  ['quotes', `a"b'c`, `"a\\"b'c"`],
  ['backslashes', 'a\\b\\\\$c\\', '"a\\\\b\\\\\\\\\\$c\\\\"'],
  ['spaces and a line break', ' a\tb\nc ', '" a\tb\nc "'],
])('quotes %s so that a shell reads it unchanged', (_, value, quoted) => {
  expect(shellQuoted(value)).toBe(quoted);
  expect(execFileSync('sh', ['-c', `V=${quoted}; printf %s "$V"`], { encoding: 'utf8' })).toBe(value);
});
