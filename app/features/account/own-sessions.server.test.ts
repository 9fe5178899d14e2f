import { describe, expect, it } from 'vitest';
import { readSessions } from './own-sessions.server.ts';

const ROW = {
  id: 'a',
  created_at: '2026-01-01T00:00:00Z',
  refreshed_at: null,
  not_after: null,
  aal: 'aal1',
  user_agent: 'curl/8.5.0',
  ip: '203.0.113.5',
  tag: null,
  is_current: false,
};

describe('readSessions', () => {
  it('sorts the current session first and uses the later of two times', () => {
    const rows = [
      ROW,
      { ...ROW, id: 'b', is_current: true, aal: 'aal2', refreshed_at: '2026-01-01T00:01:00.5Z' },
    ];
    expect(readSessions(rows)).toEqual([
      {
        id: 'b',
        isCurrent: true,
        userAgent: 'curl/8.5.0',
        address: '203.0.113.5',
        usedAt: Date.UTC(2026, 0, 1, 0, 1) / 1000,
        isTwoFactor: true,
      },
      {
        id: 'a',
        isCurrent: false,
        userAgent: 'curl/8.5.0',
        address: '203.0.113.5',
        usedAt: Date.UTC(2026, 0, 1) / 1000,
        isTwoFactor: false,
      },
    ]);
  });

  it.each([
    ['a response that is not a list', { error: 'x' }, 0],
    ['a missing response', undefined, 0],
    ['entries that are not sessions', [null, 1, {}, { id: 5 }], 0],
    ['returns $2 sessions for %s', [{ id: 'a', created_at: 'soon' }], 1],
  ])('parses %s', (_name, response, count) => {
    expect(readSessions(response)).toHaveLength(count);
  });
});
