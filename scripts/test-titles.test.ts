import { expect, it } from 'vitest';
import { testTitles } from './test-titles.ts';

const pathsOf = (source: string) => testTitles('x.test.ts', source).map(({ path }) => path);

it.each([
  ["it('a', () => {});", ['a']],
  ["test('a', async ({ page }) => {});", ['a']],
  ["describe('g', () => { it('a', f); describe('h', () => { test('b', f); }); });", ['g › a', 'g › h › b']],
  ["test.describe('g', () => { test.beforeAll(f); test('a', f); });", ['g › a']],
  ["describe.each(rows)('of %s', () => { it.each([['b', 1]])('takes %s', f); });", ['of %s › takes %s']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the title as it stands in a source
  ['for (const x of y) it(`a ${x}`, f);', ['a ${x}']],
  ["it.skip('a', f); it.runIf(yes)('b', f);", ['a', 'b']],
  ["const described = 'it(x)'; say('no test', it); // it('in a comment')", []],
])('finds in %s the titles %j', (source, paths) => {
  expect(pathsOf(source)).toEqual(paths);
});

it('rejects a source that is not TypeScript', () => {
  expect(() => pathsOf('it(')).toThrow(SyntaxError);
});
