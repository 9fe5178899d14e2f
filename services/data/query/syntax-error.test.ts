/** Messages of syntax errors. */
import { describe, expect, it } from 'vitest';
import { QuerySyntaxError } from './syntax-error.ts';

describe('a syntax error', () => {
  it('contains the parsed text, the position and the expectation', () => {
    const error = new QuerySyntaxError(3, 'filter', 'x', 'unexpected "x" expecting "y"');
    expect(error).toMatchObject({
      name: 'QuerySyntaxError',
      message: '"failed to parse filter (x)" (line 1, column 3)',
      source: 'failed to parse filter (x)',
      position: 3,
      expectation: 'unexpected "x" expecting "y"',
    });
  });

  it('escapes quotes in its message', () => {
    expect(new QuerySyntaxError(1, 'filter', '"\n', '').message).toBe(
      '"failed to parse filter (\\"\\n)" (line 1, column 1)',
    );
  });

  it('truncates long texts', () => {
    expect(new QuerySyntaxError(1, 'filter', 'x'.repeat(301), '').source).toBe(
      `failed to parse filter (${'x'.repeat(300)}…)`,
    );
    expect(new QuerySyntaxError(1, 'filter', 'x'.repeat(300), '').source).not.toContain('…');
  });

  it('is well-formed Unicode, even if truncated', () => {
    expect(new QuerySyntaxError(1, 'filter', `${'x'.repeat(299)}𝒳`, '').source.isWellFormed()).toBe(true);
    expect(new QuerySyntaxError(1, 'filter', '\ud800', '').source.isWellFormed()).toBe(true);
  });
});
