import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from './shell-word.ts';

it.each([
  '/srv/shop',
  'a=b',
  '/with space',
  "it's",
  '$HOME `id` "x" \\n',
  '~',
  '*',
  '',
  '\n',
  'für',
  '#1',
  '&',
  '=x',
  '!!',
])('a shell reads %j as one word', (text) => {
  const output = execFileSync('/bin/sh', ['-c', `printf %s ${shellWord(text)}x`], { encoding: 'utf8' });
  expect(output).toBe(`${text}x`);
});

it('leaves paths without special characters as they are', () => {
  expect(shellWord('/srv/shop-2/.greenroom')).toBe('/srv/shop-2/.greenroom');
  expect(shellWord('/srv/my shop')).toBe("'/srv/my shop'");
});
