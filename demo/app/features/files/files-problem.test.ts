import { expect, it } from 'vitest';
import { problemOf } from './files-problem.ts';

it.each([
  [{ status: 400, statusCode: '413' }, 'tooLarge'],
  [{ status: 413 }, 'tooLarge'],
  [{ status: 400, statusCode: '415' }, 'wrongType'],
  [{ status: 400, statusCode: '409' }, 'nameTaken'],
  [{ status: 400, statusCode: '404', message: 'Bucket not found' }, 'notSetUp'],
  [{ status: 400, statusCode: '404', message: 'Object not found' }, 'gone'],
  [{ status: 400, statusCode: '403', message: 'new row violates row-level security policy' }, 'refused'],
  [{ status: 400, statusCode: '403', message: '"exp" claim timestamp check failed' }, 'unreachable'],
  [{ message: 'Failed to fetch' }, 'unreachable'],
  [{ status: 429 }, 'unreachable'],
  [{ status: 544, statusCode: '544' }, 'unreachable'],
  [{ status: 400, statusCode: 'InvalidKey' }, 'refused'],
] as const)('translates %j to %s', (failure, problem) => {
  expect(problemOf(failure)).toBe(problem);
});
