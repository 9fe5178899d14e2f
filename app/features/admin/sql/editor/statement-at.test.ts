import { describe, expect, it } from 'vitest';
import { statementAt } from './statement-at.ts';

describe('statementAt', () => {
  it.each<[string, string, string | undefined]>([
    ['the statement around the cursor', 'select 1; sel|ect 2; select 3', 'select 2'],
    ['the statement in front of its semicolon', 'select 1|; select 2', 'select 1'],
    ['the statement after its semicolon', 'select 1;| select 2', 'select 1'],
    ['the last statement before empty lines', 'select 1;\n\n|\n\nselect 2', 'select 1'],
    ['the first statement after the cursor if none is before it', '\n|\nselect 1; select 2', 'select 1'],
    ['a statement without the comment in front of it', '-- first\nselect 1|', 'select 1'],
    ['the statement before a comment with the cursor', 'select 1;\n-- no|te\nselect 2', 'select 1'],
    [
      'a function body with semicolons as one statement',
      'do $$ begin perform 1; | end $$; select 2',
      'do $$ begin perform 1;  end $$',
    ],
    ['a quoted semicolon as part of its statement', "select ';|'; select 2", "select ';'"],
    ['the whole text if a quote is open', " select 'a; |select 2 ", "select 'a; select 2"],
    ['the last statement at the end of the text', 'select 1; select 2|', 'select 2'],
    ['no statement in an empty text', ' \n|', undefined],
    ['no statement in a comment', '-- not|hing', undefined],
  ])('returns %s', (_, marked, expected) => {
    const text = marked.replace('|', '');
    const range = statementAt(text, marked.indexOf('|'));
    expect(range && text.slice(range.from, range.to)).toBe(expected);
  });
});
