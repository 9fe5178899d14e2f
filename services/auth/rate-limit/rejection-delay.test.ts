import { expect, it } from 'vitest';
import { createRejectionDelay } from './rejection-delay.ts';

it('holds refusals up to its bound, and answers further ones at once', async () => {
  const hold = createRejectionDelay(100, 2);
  const order: string[] = [];
  const note = (name: string) => hold().then(() => void order.push(name));
  await Promise.all([note('held'), note('held'), note('at once')]);
  expect(order).toEqual(['at once', 'held', 'held']);
  await note('held again');
  expect(order.at(-1)).toBe('held again');
});
