import { describe, expect, it } from 'vitest';
import { DeliveryQueue, DeliveryScheduler, deliveryCost } from './deliveries.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function queueOf(count: number, scheduler = new DeliveryScheduler()) {
  const members = new Set(Array.from({ length: count }, (_, n) => n));
  return { members, queue: new DeliveryQueue(members, scheduler) };
}

describe('DeliveryQueue', () => {
  it('delivers at once while the turn of the event loop has budget for all members', async () => {
    const { queue } = queueOf(125);
    const received: string[] = [];
    for (const name of ['a', 'b', 'c']) queue.deliver(100, () => received.push(name));
    expect(received.join('')).toBe('a'.repeat(125) + 'b'.repeat(125));
    await nextTurn();
    expect(received.slice(250).join('')).toBe('c'.repeat(125));
    expect(queue.isEmpty).toBe(true);
  });

  it.each([
    [600, 100, 3],
    [6, 16_384 * 100, 2],
  ])('delivers to %i members %i bytes in %i turns', async (count, bytes, turns) => {
    const { queue } = queueOf(count);
    const received: number[] = [];
    queue.deliver(bytes, (member) => received.push(member));
    expect(received).toEqual([]);
    for (let turn = 1; turn < turns; turn += 1) await nextTurn();
    expect(received.length).toBeLessThan(count);
    await nextTurn();
    expect(received).toEqual(Array.from({ length: count }, (_, n) => n));
  });

  it('keeps the order of messages, and skips members that have left or joined later', async () => {
    const { queue, members } = queueOf(400);
    const received: string[] = [];
    queue.deliver(1, (member) => received.push(`first ${member}`));
    for (let member = 3; member < 400; member += 1) members.delete(member);
    members.add(9999);
    queue.deliver(1, (member) => received.push(`second ${member}`));
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    expect(received).toEqual([
      ...[0, 1, 2].map((n) => `first ${n}`),
      ...[0, 1, 2, 9999].map((n) => `second ${n}`),
    ]);
  });

  it('shares turns with the deliveries of other topics', async () => {
    const scheduler = new DeliveryScheduler();
    const received: string[] = [];
    for (const name of ['a', 'b']) queueOf(300, scheduler).queue.deliver(1, () => received.push(name));
    await nextTurn();
    expect(received.join('')).toBe('a'.repeat(125) + 'b'.repeat(125));
    for (let turn = 0; turn < 2; turn += 1) await nextTurn();
    expect(received).toHaveLength(600);
  });
});

it('a large message counts more than a small one for each member', () => {
  expect([deliveryCost(0, 10), deliveryCost(3, 10), deliveryCost(3, 16_385)]).toEqual([1, 4, 7]);
});
