import { expect, it } from 'vitest';
import { resolveWithin } from './maybe-promise.ts';

it('returns a value that resolves in time', async () => {
  expect(await resolveWithin(Promise.resolve('list'))).toEqual({ value: 'list' });
});

it('returns the promise of a slower value', async () => {
  const slow = new Promise<string>((resolve) => setTimeout(() => resolve('list'), 400));
  const { value } = await resolveWithin(slow);
  expect(value).toBe(slow);
  expect(await value).toBe('list');
});
