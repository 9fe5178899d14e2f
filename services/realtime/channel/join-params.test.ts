import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJoin } from './join-params.ts';

const DEFAULTS = {
  broadcast: { ack: false, self: false, replay: undefined, awaitsReplication: false },
  presence: { key: undefined, isEnabled: false },
  changes: [],
  isPrivate: false,
  accessToken: undefined,
  isLegacy: false,
  problems: [],
};

describe('parseJoin', () => {
  it('returns defaults for an empty payload', () => {
    for (const config of [
      {},
      { broadcast: {}, presence: { key: '' }, postgres_changes: null, private: null },
    ]) {
      expect(parseJoin({ config }, 'a')).toEqual(DEFAULTS);
    }
  });

  it('reads all fields', () => {
    const change = { event: 'insert', schema: 'public', filter: 'a=eq.1', more: [1] };
    const config = {
      broadcast: { ack: true, self: 'True', replay: { since: 7, limit: 3 }, replication_ready: 'true' },
      presence: { key: 'ada', enabled: true },
      postgres_changes: [null, change],
      private: 'true',
    };
    expect(parseJoin({ config, access_token: 'a.b.c', user_token: 'x' }, 'a')).toEqual({
      broadcast: { ack: true, self: true, replay: { since: 7, limit: 3 }, awaitsReplication: true },
      presence: { key: 'ada', isEnabled: true },
      changes: [change],
      isPrivate: true,
      accessToken: 'a.b.c',
      isLegacy: false,
      problems: [],
    });
  });

  it.each([
    [{ broadcast: { ack: 1 } }, 'broadcast.ack'],
    [{ broadcast: [] }, 'broadcast'],
    [{ presence: { key: 7 } }, 'presence.key'],
    [{ presence: { key: 'k'.repeat(256) } }, 'presence.key'],
    [{ presence: { enabled: 'yes' } }, 'presence.enabled'],
    [{ postgres_changes: {} }, 'postgres_changes'],
    [{ postgres_changes: [{}, 'x'] }, 'postgres_changes'],
    [{ private: 'no' }, 'private'],
    ['x', 'config'],
  ])('uses the default of the invalid field in %j and reports the field', (config, problem) => {
    expect(parseJoin({ config }, 'a')).toEqual({ ...DEFAULTS, problems: [problem] });
  });

  it.each([
    [{ since: 1 }, { since: 1, limit: 25 }],
    [
      { since: 1, limit: 0 },
      { since: 1, limit: 1 },
    ],
    [
      { since: 1, limit: 99 },
      { since: 1, limit: 25 },
    ],
    [{ limit: 5 }, 'invalid'],
    [{ since: 1.5 }, 'invalid'],
    [{ since: '1' }, 'invalid'],
    [{ since: 1, limit: '2' }, 'invalid'],
    ['yes', 'invalid'],
    [null, undefined],
  ])('returns the replay options of %j or reports them as invalid', (replay, expected) => {
    expect(parseJoin({ config: { broadcast: { replay } } }, 'a').broadcast.replay).toEqual(expected);
  });

  it.each([
    [{ access_token: 'sb_publishable_x' }, undefined],
    [{ access_token: null, user_token: 'a.b.c' }, 'a.b.c'],
    [{ access_token: '' }, undefined],
    [{ access_token: 7 }, undefined],
  ])('returns the valid token of %j, if there is one', (payload, token) => {
    expect(parseJoin({ config: {}, ...payload }, 'a').accessToken).toBe(token);
  });

  it.each([
    ['public', { event: '*', schema: 'public' }],
    ['public:films', { event: '*', schema: 'public', table: 'films' }],
    ['public:films:at=eq.12:30', { event: '*', schema: 'public', table: 'films', filter: 'at=eq.12:30' }],
  ])('returns the database changes that the topic %s of the old protocol selects', (name, change) => {
    expect(parseJoin({ user_token: 'a.b.c' }, name)).toEqual({
      ...DEFAULTS,
      changes: [change],
      accessToken: 'a.b.c',
      isLegacy: true,
    });
  });

  it('does not throw for any value', () => {
    fc.assert(fc.property(fc.anything(), fc.string(), (payload, name) => void parseJoin(payload, name)));
  });
});
