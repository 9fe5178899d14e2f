import { expect, it } from 'vitest';
import { seededRandom } from '../crash/random.ts';
import { planRound, VICTIMS } from './plan.ts';

const plans = (seed: number, count = 200) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => planRound(random));
};

it('the plans of a seed repeat, and contain each kill, end, target and place', () => {
  expect(plans(7)).toEqual(plans(7));
  const seen = new Set(
    plans(7).flatMap(({ kills, end, target, place }) => [
      ...kills.map(({ victim }) => victim),
      end,
      target,
      place,
    ]),
  );
  expect([...seen].toSorted()).toEqual(
    [
      ...VICTIMS,
      ...['server', 'server and postmaster', 'all processes', 'stop', 'none'],
      ...['time', 'earlier', 'latest'],
      ...['next to it', 'in its place', 'after removal'],
    ].toSorted(),
  );
});

it('data is replaced only after its instance has ended', () => {
  const replaced = plans(7).filter(({ place }) => place !== 'next to it');
  expect(replaced.map(({ end }) => end)).not.toContain('none');
  expect(replaced.map(({ target }) => target)).not.toContain('earlier');
});
