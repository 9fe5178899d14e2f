import { expect, it } from 'vitest';
import { createBodyBudget } from './body-budget.ts';

const LIMITS = { maxPerClient: 10, max: 15 };
const from = (clientAddress: string, isCounted = true) => ({ clientAddress, isCounted });

it('limits the bodies of one client and leaves the rest to others', () => {
  const budget = createBodyBudget(LIMITS);
  expect(budget.reserve(from('203.0.113.7'), 6)).toBeDefined();
  expect(budget.reserve(from('203.0.113.7'), 6)).toBeUndefined();
  expect(budget.reserve(from('203.0.113.8'), 6)).toBeDefined();
});

it('limits the bodies of all clients together, counted or not', () => {
  const budget = createBodyBudget(LIMITS);
  budget.reserve(from('203.0.113.7'), 8);
  expect(budget.reserve(from('203.0.113.8'), 8)).toBeUndefined();
  expect(budget.reserve(from('127.0.0.1', false), 8)).toBeUndefined();
  expect(budget.reserve(from('127.0.0.1', false), 7)).toBeDefined();
});

it('accepts one body of any size, and no other at the same time', () => {
  const budget = createBodyBudget(LIMITS);
  expect(budget.reserve(from('203.0.113.7'), 100)).toBeDefined();
  expect(budget.reserve(from('203.0.113.8'), 1)).toBeUndefined();
});

it('counts the networks of an IPv6 address as one client', () => {
  const budget = createBodyBudget(LIMITS);
  budget.reserve(from('2001:db8:1:1::1'), 6);
  expect(budget.reserve(from('2001:db8:1:ffff::1'), 6)).toBeUndefined();
});

it('counts repeatedly released bytes once', () => {
  const budget = createBodyBudget(LIMITS);
  const release = budget.reserve(from('203.0.113.7'), 10);
  release?.();
  release?.();
  expect(budget.reserve(from('203.0.113.7'), 10)).toBeDefined();
  expect(budget.reserve(from('203.0.113.7'), 1)).toBeUndefined();
});
