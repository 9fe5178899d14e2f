import { describe, expect, it } from 'vitest';
import { CatalogueError, defineErrors, documentedCodes } from './index.ts';

const failure = defineErrors({
  gone: { status: 410, message: 'It is gone' },
  varying: { status: [400, 422], message: 'It varies' },
});

describe('defineErrors', () => {
  it.each([
    ['the default status and message', failure('gone'), 410, 'It is gone'],
    ['the first of several statuses', failure('varying'), 400, 'It varies'],
    ['another declared status', failure('varying', { status: 422 }), 422, 'It varies'],
    ['a custom message', failure('gone', { message: 'Not here' }), 410, 'Not here'],
  ])('creates an error with %s', (_, error, status, message) => {
    expect(error).toBeInstanceOf(CatalogueError);
    expect([error.status, error.message]).toEqual([status, message]);
  });

  it('rejects a status that the code does not declare', () => {
    expect(() => failure('gone', { status: 500 })).toThrow('not declared with status 500');
  });

  it('keeps the cause for the log', () => {
    const cause = new Error('inner');
    expect(failure('gone', { cause }).cause).toBe(cause);
  });
});

describe('documentedCodes', () => {
  it('returns the codes of the first column under the heading Errors only', () => {
    const page =
      '# T\n| `no` |\n## Errors\n| code | status |\n|---|---|\n| `gone` | 410 |\n| `b` | 1 |\n## Next\n| `x` |\n';
    expect(documentedCodes(page)).toEqual(['gone', 'b']);
  });
});
