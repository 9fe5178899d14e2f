import { expect, it } from 'vitest';
import { createRejectionDelay } from './rejection-delay.ts';

it('delays rejections up to its limit, and sends further ones immediately', async () => {
  const hold = createRejectionDelay(100, 2);
  const order: string[] = [];
  const note = (name: string) => hold().then(() => void order.push(name));
  await Promise.all([note('held'), note('held'), note('at once')]);
  expect(order).toEqual(['at once', 'held', 'held']);
  await note('held again');
  expect(order.at(-1)).toBe('held again');
});
