import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from './method.ts';
import {
  maxAffectedOf,
  parsePreferences,
  preferenceApplied,
  requireKnownPreferences,
} from './preferences.ts';

const parse = (values: string | string[] | undefined) =>
  parsePreferences(values, { transactionEnd: true, timezone: true });
const NONE = parse(undefined);

describe('parsePreferences', () => {
  it.each([
    ['', {}],
    ['return=minimal', { return: 'minimal' }],
    ['return=headers-only', { return: 'headers-only' }],
    [
      'count=exact,  tx=commit  ,return=representation',
      { count: 'exact', tx: 'commit', return: 'representation' },
    ],
    ['resolution=merge-duplicates, missing=default', { resolution: 'merge-duplicates', missing: 'default' }],
    ['tx=rollback, tx=commit', { tx: 'rollback' }],
    ['count=many, count=planned', { count: 'planned', unknown: ['count=many'] }],
    ['timezone=America/Los_Angeles', { timezone: 'America/Los_Angeles' }],
    ['timezone=', { timezone: '' }],
    ['handling=strict, max-affected=10', { handling: 'strict', maxAffected: 10 }],
    ['max-affected=many', { unknown: ['max-affected=many'] }],
    ['max-affected=-1', { unknown: ['max-affected=-1'] }],
    ['max-affected=1e3', { unknown: ['max-affected=1e3'] }],
    ['Return=minimal, return=Minimal', { unknown: ['Return=minimal', 'return=Minimal'] }],
    ['respond-async, wait=10', { unknown: ['respond-async', 'wait=10'] }],
    [',, ,', {}],
    ['constructor=x, =', { unknown: ['constructor=x', '='] }],
  ])('reads %j', (header, preferences) => {
    expect(parse(header)).toEqual({ ...NONE, ...preferences });
  });

  it('parses several headers, where the first of each preference wins', () => {
    expect(parse(['count=exact', 'count=planned, tx=commit'])).toEqual({
      ...NONE,
      count: 'exact',
      tx: 'commit',
    });
  });

  it('ignores tx and timezone if clients may not set them, without reporting them as unknown', () => {
    const noSettings = { transactionEnd: false, timezone: false };
    expect(parsePreferences('tx=rollback, timezone=UTC', noSettings)).toEqual(NONE);
  });

  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(() => parse(header)).not.toThrow();
      }),
    );
  });
});

describe('requireKnownPreferences', () => {
  it('lists unknown preferences under handling=strict', () => {
    expect(() => requireKnownPreferences(parse('handling=strict, a, count=exact, b=c'))).toThrow(
      expect.objectContaining({
        code: 'PGRST122',
        status: 400,
        extra: { details: 'Invalid preferences: a, b=c' },
      }),
    );
  });

  it.each(['a, b', 'handling=lenient, a', 'handling=strict, timezone=x', 'handling=strict, tx=commit'])(
    'accepts %s',
    (header) => {
      expect(() => requireKnownPreferences(parse(header))).not.toThrow();
    },
  );
});

const READ: Action = { kind: 'read', relation: 't', isHead: false };
const CALL: Action = { kind: 'call', function: 'f', method: 'POST', isHead: false };
const write = (kind: 'insert' | 'update' | 'put' | 'delete'): Action => ({ kind, relation: 't' });
const ALL =
  'max-affected=3, timezone=UTC, handling=strict, tx=commit, count=exact, return=minimal, missing=null, resolution=merge-duplicates';

describe('Preference-Applied', () => {
  it.each([
    [READ, 'count=exact, tx=commit, handling=strict, timezone=UTC'],
    [CALL, 'count=exact, tx=commit, handling=strict, timezone=UTC, max-affected=3'],
    [
      write('insert'),
      'resolution=merge-duplicates, missing=null, return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC',
    ],
    [
      write('update'),
      'missing=null, return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC, max-affected=3',
    ],
    [
      write('delete'),
      'return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC, max-affected=3',
    ],
    [write('put'), 'return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC'],
  ])('for %j lists the applied preferences in order', (action, applied) => {
    expect(preferenceApplied(parse(ALL), action, { hasArbiter: true })).toBe(applied);
  });

  it('has no resolution without an arbiter', () => {
    const preferences = parse('resolution=ignore-duplicates, return=minimal');
    expect(preferenceApplied(preferences, write('insert'), { hasArbiter: false })).toBe('return=minimal');
  });

  it('is missing if no preference applies', () => {
    expect(preferenceApplied(parse('return=minimal, x'), READ, { hasArbiter: true })).toBeUndefined();
  });

  it('has max-affected only under handling=strict', () => {
    expect(maxAffectedOf(parse('max-affected=3'), write('update'))).toBeUndefined();
    expect(maxAffectedOf(parse('max-affected=3, handling=strict'), write('update'))).toBe(3);
    expect(maxAffectedOf(parse('max-affected=3, handling=strict'), write('insert'))).toBeUndefined();
    expect(preferenceApplied(parse('max-affected=3'), write('update'), { hasArbiter: true })).toBeUndefined();
  });
});
