import { describe, expect, it } from 'vitest';
import { problemText } from './problem-text.ts';
import { ChangeProblem } from './user-change.server.ts';

const problems = { syntax: 'No JSON.', email_exists: 'Taken.', unknown: 'Failed.' };

describe('problemText', () => {
  it.each([
    [Object.assign(new Error('exists'), { code: 'email_exists', status: 422 }), 'Taken.'],
    [new ChangeProblem('syntax', 'position 3'), 'No JSON. (position 3)'],
    [new ChangeProblem('syntax'), 'No JSON.'],
    [Object.assign(new Error('Rate limit'), { code: 'over_limit' }), 'Rate limit'],
    [new Error(''), 'Failed.'],
    [undefined, 'Failed.'],
  ])('describes %s as %s', (error, text) => {
    expect(problemText(error, problems)).toBe(text);
  });
});
