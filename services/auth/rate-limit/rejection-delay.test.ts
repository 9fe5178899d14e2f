import { expect, it } from 'vitest';
import { createRejectionDelay } from './rejection-delay.ts';

it('delays rejections up to its limit, and sends further ones immediately', async () => {
  const delayRejection = createRejectionDelay(100, 2);
  const order: string[] = [];
  const record = (name: string) => delayRejection().then(() => void order.push(name));
  await Promise.all([record('held'), record('held'), record('at once')]);
  expect(order).toEqual(['at once', 'held', 'held']);
  await record('held again');
  expect(order.at(-1)).toBe('held again');
});
