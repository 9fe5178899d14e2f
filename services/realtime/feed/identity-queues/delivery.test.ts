import { expect, it } from 'vitest';
import type { Subscription, SubscriptionEntry } from '../subscriptions/subscription.ts';
import { framesOf } from './delivery.ts';

function subscriptionOf(isClosed = false): Subscription {
  return { identity: { role: 'anon', claims: '{}' }, owner: undefined, deliver() {}, entries: [], isClosed };
}

function entryOf(subscription: Subscription, id: number, select?: string[]): SubscriptionEntry {
  const params = { event: '*', schema: 'public', table: 'notes', conditions: [], select } as const;
  return { id, subscription, params };
}

const payloadFor = (select: readonly string[] | undefined) => select?.join() ?? 'all';

it('creates one frame per subscription and payload, with the ids of all its entries', () => {
  const [one, other] = [subscriptionOf(), subscriptionOf()];
  const frames = framesOf(
    [entryOf(one, 1), entryOf(other, 2, ['id']), entryOf(one, 3), entryOf(one, 4, ['id'])],
    payloadFor,
  );
  expect([...frames].map(([subscription, byData]) => [subscription, [...byData.values()]])).toEqual([
    [
      one,
      [
        { ids: [1, 3], data: 'all' },
        { ids: [4], data: 'id' },
      ],
    ],
    [other, [{ ids: [2], data: 'id' }]],
  ]);
});

it('creates no frame for a closed subscription', () => {
  expect(framesOf([entryOf(subscriptionOf(true), 1)], payloadFor).size).toBe(0);
});
