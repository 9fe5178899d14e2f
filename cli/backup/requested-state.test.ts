import { describe, expect, it } from 'vitest';
import { requestedState } from './requested-state.ts';

const NONE = { toTime: undefined, isLatest: false, backup: undefined, name: undefined };

describe('the requested state of a restore', () => {
  it.each([
    ['2026-11-27T12:00:00Z', '2026-11-27T12:00:00.000Z'],
    ['2026-11-27 12:00:00Z', '2026-11-27T12:00:00.000Z'],
    ['2026-11-27 12:00:00 UTC', '2026-11-27T12:00:00.000Z'],
    ['2026-11-27T13:30+01:00', '2026-11-27T12:30:00.000Z'],
    ['2026-11-27T13:30:00.1259+0130', '2026-11-27T12:00:00.125Z'],
    ['2026-11-27t10:00:00-02', '2026-11-27T12:00:00.000Z'],
  ])('has the time of %s', (toTime, expected) => {
    expect(requestedState({ ...NONE, toTime })).toEqual({ kind: 'time', time: new Date(expected) });
  });

  it.each([
    ['2026-11-27T12:00:00', 'has no zone. Add one, e.g. 2026-11-27T12:00:00Z'],
    ['2026-11-27', 'is not allowed. Allowed: a time with its zone'],
    ['yesterday', 'is not allowed. Allowed: a time with its zone'],
    ['2026-11-31T12:00:00Z', 'does not exist'],
    ['2026-11-27T25:00:00Z', 'does not exist'],
  ])('is refused for the time %s', (toTime, message) => {
    expect(() => requestedState({ ...NONE, toTime })).toThrow(`--to-time="${toTime}" ${message}`);
  });

  it.each([
    [NONE, { kind: 'latest' }],
    [{ ...NONE, isLatest: true }, { kind: 'latest' }],
    [
      { ...NONE, backup: '1' },
      { kind: 'backup', id: '1' },
    ],
    [
      { ...NONE, name: 'a' },
      { kind: 'name', name: 'a' },
    ],
  ])('of %j is %j', (options, expected) => {
    expect(requestedState(options)).toEqual(expected);
  });

  it('is refused if several options name one', () => {
    expect(() => requestedState({ ...NONE, isLatest: true, backup: '1' })).toThrow(
      '--latest and --backup exclude each other: name one state.',
    );
  });
});
