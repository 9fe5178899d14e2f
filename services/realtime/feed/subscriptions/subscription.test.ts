import { expect, it } from 'vitest';
import type { Relation } from '../replication/pgoutput.ts';
import { createRegistry, type Subscription } from './subscription.ts';

const NOTES = { oid: 1, schema: 'public', table: 'notes', identity: 'd', columns: [] } as unknown as Relation;

function subscriptionTo(schema: string, table: string): Subscription {
  return { isClosed: false, entries: [{ params: { event: '*', schema, table } }] } as unknown as Subscription;
}

it.each([
  ['public', 'notes', true],
  ['public', '*', true],
  ['*', 'notes', true],
  ['*', '*', true],
  ['public', 'others', false],
])('watches a relation from a subscription to %s.%s until it is removed: %s', (schema, table, expected) => {
  const registry = createRegistry();
  const subscription = subscriptionTo(schema, table);
  expect(registry.hasSubscribers(NOTES)).toBe(false);
  registry.add(subscription);
  expect(registry.hasSubscribers(NOTES)).toBe(expected);
  expect(registry.hasSubscribers(NOTES)).toBe(expected);
  registry.remove(subscription);
  expect(registry.hasSubscribers(NOTES)).toBe(false);
});
