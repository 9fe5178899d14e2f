import { expect, it } from 'vitest';
import { ChannelPresence } from './channel-presence.ts';

function presence() {
  let refs = 0;
  return new ChannelPresence(
    'ada',
    () => {
      refs += 1;
      return `r${refs}`;
    },
    { maxEvents: 2, windowMs: 100 },
  );
}

it('sends a join, a leave and a join for a changed payload, and a leave with the ref of the last join', () => {
  const mine = presence();
  const first = { key: 'ada', ref: 'r1', meta: '{"phx_ref":"r1","a":1}' };
  const second = { key: 'ada', ref: 'r2', meta: '{"phx_ref":"r2","phx_ref_prev":"r1","a":2}' };
  expect(mine.untrack()).toBeUndefined();
  expect(mine.track({ a: 1 })).toEqual({ joins: [first], leaves: [] });
  expect(mine.track({ a: 1 })).toBeUndefined();
  expect(mine.track({ a: 2 })).toEqual({ joins: [second], leaves: [first] });
  expect(mine.untrack()).toEqual({ joins: [], leaves: [second] });
  expect(mine.untrack()).toBeUndefined();
  expect(mine.track({ a: 2 })?.joins).toMatchObject([{ ref: 'r3', meta: '{"phx_ref":"r3","a":2}' }]);
});

it('limits the number of calls per window', () => {
  const mine = presence();
  expect([0, 50, 99, 100, 199, 199].map((at) => mine.isWithinLimit(at))).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
  ]);
});
