import { expect, it } from 'vitest';
import { PlanCache } from './plan-cache.ts';

const prepared = (text: string) => ({ statements: { main: { text } } });
type Entry = ReturnType<typeof prepared>;

it('prepares once per key and does not store failures', () => {
  const plans = new PlanCache<Entry>();
  const plan = prepared('select 1');
  expect(() =>
    plans.get('a', () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(plans.get('a', () => plan)).toBe(plan);
  expect(plans.get('a', () => prepared('select 2'))).toBe(plan);
});

it('limits the number and the total length of entries', () => {
  const plans = new PlanCache<Entry>();
  for (let i = 0; i < 10_001; i += 1) plans.get(`${i}`, () => prepared(''));
  expect(isKnown(plans, '0')).toBe(false);
  expect(isKnown(plans, '10000')).toBe(true);
  const long = 'x'.repeat(1024 * 1024);
  for (let i = 0; i < 33; i += 1) plans.get(`long ${i}`, () => prepared(long));
  expect(isKnown(plans, 'long 0')).toBe(false);
  expect(isKnown(plans, 'long 32')).toBe(true);
});

function isKnown(plans: PlanCache<Entry>, key: string): boolean {
  let known = true;
  plans.get(key, () => {
    known = false;
    return prepared('');
  });
  return known;
}
