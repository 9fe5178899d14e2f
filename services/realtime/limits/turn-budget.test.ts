import { expect, it } from 'vitest';
import { TurnBudget } from './turn-budget.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('limits the work of each turn, and lets the last task exceed the budget', async () => {
  const budget = new TurnBudget();
  expect([budget.spend(200_000), budget.spend(1_000_000), budget.spend(1)]).toEqual([true, true, false]);
  await nextTurn();
  expect(budget.spend(1)).toBe(true);
});

it('makes tasks wait for a turn with budget left', async () => {
  const budget = new TurnBudget();
  let done = 0;
  const work = [1, 2, 3].map(async () => {
    await budget.wait(300_000);
    done += 1;
  });
  await Promise.resolve();
  const started = done;
  await Promise.all(work);
  expect([started, done]).toEqual([1, 3]);
});
