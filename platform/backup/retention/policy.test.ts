import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckState, type RetainedBackup, type RetentionPolicy, selectKept } from './policy.ts';

const NOTHING: RetentionPolicy = { hourly: 0, daily: 0, weekly: 0, monthly: 0 };

/** Backups whose ids are their times. */
function backups(...times: (string | [string, CheckState])[]): RetainedBackup[] {
  return times.map((entry) => {
    const [id, check] = typeof entry === 'string' ? [entry, 'unchecked' as const] : entry;
    return { id, time: new Date(`${id}Z`), check };
  });
}

const kept = (given: readonly RetainedBackup[], policy: Partial<RetentionPolicy>) =>
  [...selectKept(given, { ...NOTHING, ...policy })].toSorted();

describe('a policy', () => {
  it.each([
    [
      'hours',
      { hourly: 2 },
      ['2026-11-27T08:59', '2026-11-27T09:00', '2026-11-27T09:59', '2026-11-27T10:00'],
      ['2026-11-27T09:59', '2026-11-27T10:00'],
    ],
    [
      'days',
      { daily: 2 },
      ['2026-11-25T10:00', '2026-11-26T00:00', '2026-11-26T23:59', '2026-11-27T00:00'],
      ['2026-11-26T23:59', '2026-11-27T00:00'],
    ],
    [
      'weeks, which begin on Monday',
      { weekly: 2 },
      ['2026-11-15T23:59', '2026-11-16T00:00', '2026-11-22T23:59', '2026-11-23T00:00'],
      ['2026-11-22T23:59', '2026-11-23T00:00'],
    ],
    [
      'months',
      { monthly: 3 },
      ['2025-11-30T10:00', '2025-12-01T00:00', '2025-12-31T23:59', '2026-01-01T00:00', '2026-02-28T23:59'],
      ['2025-12-31T23:59', '2026-01-01T00:00', '2026-02-28T23:59'],
    ],
    [
      'days and months together',
      { daily: 1, monthly: 2 },
      ['2026-10-30T10:00', '2026-10-31T10:00', '2026-11-26T10:00', '2026-11-27T10:00'],
      ['2026-10-31T10:00', '2026-11-27T10:00'],
    ],
    ['nothing but the newest', {}, ['2026-11-26T10:00', '2026-11-27T10:00'], ['2026-11-27T10:00']],
  ])('keeps the newest backups of %s', (_name, policy, times, expected) => {
    expect(kept(backups(...times), policy)).toEqual(expected);
  });

  it('counts periods that have a backup, so a pause of backups removes nothing', () => {
    const times = ['2025-01-01T10:00', '2025-06-01T10:00', '2026-11-27T10:00'];
    expect(kept(backups(...times), { daily: 3 })).toEqual(times);
  });

  it('prefers a backup that did not fail its check, and keeps the newest anyway', () => {
    const given = backups('2026-11-27T08:00', ['2026-11-27T09:00', 'failed'], ['2026-11-27T10:00', 'failed']);
    expect(kept(given, { daily: 1 })).toEqual(['2026-11-27T08:00', '2026-11-27T10:00']);
  });

  it('keeps the newest backup that passed its check', () => {
    const given = backups(
      ['2026-11-24T10:00', 'passed'],
      ['2026-11-25T10:00', 'passed'],
      '2026-11-26T10:00',
      '2026-11-27T10:00',
    );
    expect(kept(given, { daily: 1 })).toEqual(['2026-11-25T10:00', '2026-11-27T10:00']);
  });

  it('keeps nothing of nothing', () => {
    expect(kept([], { daily: 7 })).toEqual([]);
  });
});

describe('any policy', () => {
  const START = Date.UTC(2025, 0, 1);
  const backup = fc.record({
    time: fc.nat(2 * 365 * 24 * 60).map((minutes) => new Date(START + minutes * 60_000)),
    check: fc.constantFrom<CheckState>('passed', 'failed', 'unchecked'),
  });
  const many = fc
    .array(backup, { minLength: 1, maxLength: 60 })
    .map((all) =>
      all.map((each, index): RetainedBackup => ({ ...each, id: String(index).padStart(3, '0') })),
    );
  const anyPolicy = fc.record({
    hourly: fc.nat(10),
    daily: fc.nat(10),
    weekly: fc.nat(10),
    monthly: fc.nat(10),
  });
  const newestOf = (all: readonly RetainedBackup[]) => Math.max(...all.map(({ time }) => time.getTime()));

  it('keeps the newest backup and the newest that passed its check', () => {
    fc.assert(
      fc.property(many, anyPolicy, (all, policy) => {
        const keptIds = selectKept(all, policy);
        const chosen = all.filter(({ id }) => keptIds.has(id));
        expect(newestOf(chosen)).toBe(newestOf(all));
        const passed = all.filter(({ check }) => check === 'passed');
        const keptPassed = chosen.filter(({ check }) => check === 'passed');
        if (passed.length > 0) expect(newestOf(keptPassed)).toBe(newestOf(passed));
      }),
    );
  });

  it('keeps at most as many backups as its numbers and two more', () => {
    fc.assert(
      fc.property(many, anyPolicy, (all, policy) => {
        const { hourly, daily, weekly, monthly } = policy;
        expect(selectKept(all, policy).size).toBeLessThanOrEqual(hourly + daily + weekly + monthly + 2);
      }),
    );
  });

  it('does not depend on the order, and keeps the same backups when it is applied again', () => {
    fc.assert(
      fc.property(many, anyPolicy, (all, policy) => {
        const first = selectKept(all, policy);
        expect(selectKept(all.toReversed(), policy)).toEqual(first);
        const remaining = all.filter(({ id }) => first.has(id));
        expect(selectKept(remaining, policy)).toEqual(first);
      }),
    );
  });

  it('keeps a backup of each of the newest periods', () => {
    fc.assert(
      fc.property(many, anyPolicy, (all, policy) => {
        const keptIds = selectKept(all, policy);
        const dayOf = ({ time }: RetainedBackup) => time.toISOString().slice(0, 10);
        const monthOf = ({ time }: RetainedBackup) => time.toISOString().slice(0, 7);
        for (const [periodOf, count] of [
          [dayOf, policy.daily],
          [monthOf, policy.monthly],
        ] as const) {
          const newest = [...new Set(all.map(periodOf))].toSorted().toReversed().slice(0, count);
          const keptPeriods = new Set(all.filter(({ id }) => keptIds.has(id)).map(periodOf));
          expect(newest.filter((period) => !keptPeriods.has(period))).toEqual([]);
        }
      }),
    );
  });

  it('keeps more with larger numbers', () => {
    fc.assert(
      fc.property(many, anyPolicy, (all, policy) => {
        const more = { ...policy, daily: policy.daily + 1, monthly: policy.monthly + 2 };
        const larger = selectKept(all, more);
        expect([...selectKept(all, policy)].filter((id) => !larger.has(id))).toEqual([]);
      }),
    );
  });
});
