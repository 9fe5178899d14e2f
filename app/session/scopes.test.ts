import { describe, expect, it } from 'vitest';
import { parseSignOutScope } from './scopes.ts';

describe('parseSignOutScope', () => {
  it.each(['local', 'others', 'global'])('accepts %s', (scope) => {
    expect(parseSignOutScope(scope)).toBe(scope);
  });

  it.each(['', 'all', 'LOCAL', null, undefined, 1])('rejects %j', (value) => {
    expect(parseSignOutScope(value)).toBeUndefined();
  });
});
