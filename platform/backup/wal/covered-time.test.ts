import { expect, it } from 'vitest';
import { CoveredTime } from './covered-time.ts';

const at = (seconds: number) => new Date(seconds * 1000);

it('is the time of the newest mark before the stored position', () => {
  const covered = new CoveredTime();
  expect(covered.time).toBeUndefined();
  covered.addMark({ time: at(1), position: 10n });
  covered.reach(9n);
  expect(covered.time).toBeUndefined();
  covered.reach(10n);
  expect(covered.time).toEqual(at(1));
  covered.addMark({ time: at(2), position: 10n });
  covered.reach(10n);
  expect(covered.time).toEqual(at(2));
});

it('advances although each new mark is ahead of the stored position', () => {
  const covered = new CoveredTime();
  for (let second = 1; second <= 5; second++) {
    covered.addMark({ time: at(second), position: BigInt(second * 10) });
    covered.reach(BigInt(second * 10 - 5));
  }
  expect(covered.time).toEqual(at(4));
  covered.reach(100n);
  expect(covered.time).toEqual(at(5));
});
