import { describe, expect, it } from 'vitest';
import { filesWith } from './find-tests.ts';

describe('a reference', () => {
  const among = [
    { file: 'a.test.ts', title: 'works', path: 'one › works' },
    { file: 'b.test.ts', title: 'works', path: 'two › works' },
    { file: 'b.test.ts', title: 'fails late', path: 'two › fails late' },
  ];

  it.each([
    ['the whole title of one test', 'fails late', ['b.test.ts']],
    ['a title with its group', 'one › works', ['a.test.ts']],
    ['a title of two tests', 'works', ['a.test.ts', 'b.test.ts']],
    ['the title of a group', 'two', []],
    ['the beginning of a title', 'fails', []],
    ['a word of the source', 'describe', []],
  ])('to %s is valid for the files %j', (_, title, files) => {
    expect(filesWith(title, among)).toEqual(files);
  });
});
