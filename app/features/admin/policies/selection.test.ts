import { describe, expect, it } from 'vitest';
import { policiesPath, readSelection } from './selection.ts';

describe('readSelection', () => {
  it.each([
    '/admin/policies',
    '/admin/policies?q=notes&in=*&show=no-rls',
    '/admin/policies?view=advisors&fix=a_b',
    '/admin/policies?schema=my+shop&table=no%22tes&tab=try&as=person&who=a&user=1&aal=aal2',
  ])('parses %s, and policiesPath writes it again', (path) => {
    const { searchParams } = new URL(path, 'http://x');
    expect(policiesPath(readSelection(searchParams))).toBe(path);
  });

  it('ignores invalid values', () => {
    const search = new URLSearchParams({
      view: 'x',
      show: 'y',
      tab: 'z',
      as: 'root',
      aal: 'aal9',
      q: ' a\0 ',
    });
    expect(policiesPath(readSelection(search))).toBe('/admin/policies?q=a');
  });
});
