import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeProblem } from './dev-problem.ts';

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenroom-product-')));
  await symlink(folder, `${folder}-linked`);
});
afterAll(async () => {
  await rm(`${folder}-linked`);
  await rm(folder, { recursive: true });
});

describe('describeProblem', () => {
  it.each([
    [
      'an error of the parser',
      () => ({ message: 'Expected `(`', id: `${folder}/a.tsx`, loc: { line: 2, column: 4 } }),
      'app/a.tsx:2:5\nExpected `(`',
    ],
    [
      'an error that names the file',
      () => ({ message: `Failed to load url ./b.ts in ${folder}/a.tsx`, id: `${folder}/a.tsx` }),
      'Failed to load url ./b.ts in app/a.tsx',
    ],
    [
      'an error of a module that runs',
      () => ({
        message: 'x is not defined',
        stack: `Error\n    at f (/other.js:1:1)\n    at ${folder}/a.tsx:3:1`,
      }),
      'at app/a.tsx:3:1\nx is not defined',
    ],
    [
      'a mistake that a plugin found',
      () => new Error('app/routes/a.tsx:1: wrong'),
      'app/routes/a.tsx:1: wrong',
    ],
    ['another value', () => 'text', 'text'],
  ])('names the file of a product in %s', (_title, error, expected) => {
    expect(describeProblem(error(), folder)).toBe(expected);
    expect(describeProblem(error(), `${folder}-linked`)).toBe(expected);
  });

  it('returns the message without a product', () => {
    expect(describeProblem(new Error('wrong'), undefined)).toBe('wrong');
  });
});
