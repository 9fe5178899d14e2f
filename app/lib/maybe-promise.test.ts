import { expect, it } from 'vitest';
import { resolveWithin } from './maybe-promise.ts';

it('gives what is there in time', async () => {
  expect(await resolveWithin(Promise.resolve('list'))).toEqual({ value: 'list' });
});

it('gives the promise of what takes longer', async () => {
  const slow = new Promise<string>((resolve) => setTimeout(() => resolve('list'), 400));
  const { value } = await resolveWithin(slow);
  expect(value).toBe(slow);
  expect(await value).toBe('list');
});
