import { describe, expect, it } from 'vitest';
import {
  deriveRefreshToken,
  hashRefreshToken,
  isRefreshToken,
  randomRefreshToken,
  randomSessionKey,
  refreshTokenPrefix,
} from './refresh-token.ts';

describe('refresh tokens', () => {
  it('are twelve characters, random or derived', () => {
    const key = randomSessionKey();
    for (let id = 0; id < 200; id += 1) {
      const parent = randomRefreshToken();
      expect([parent, deriveRefreshToken(parent, String(id), key)]).toSatisfy((all) =>
        all.every(isRefreshToken),
      );
    }
  });

  it('are derived deterministically and stably, since a change would end all sessions', () => {
    const key = Buffer.alloc(32, 7).toString('base64url');
    expect(deriveRefreshToken('abcdefghijkl', '42', key)).toBe('aalny60x4ecj');
  });

  it('depend on parent, row and key', () => {
    const [one, other] = [randomSessionKey(), randomSessionKey()];
    const tokens = [
      deriveRefreshToken('abcdefghijkl', '1', one),
      deriveRefreshToken('abcdefghijkm', '1', one),
      deriveRefreshToken('abcdefghijkl', '2', one),
      deriveRefreshToken('abcdefghijkl', '1', other),
    ];
    expect(new Set(tokens).size).toBe(4);
  });

  it('are stored as SHA-256 (FIPS 180-4, example "abc")', () => {
    expect(hashRefreshToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it.each(['', 'abcdefghijk', 'abcdefghijklm', 'ABCDEFGHIJKL', 'abcdefghijk!', 'abcdefghijkl\n'])(
    'do not have the format %j',
    (text) => {
      expect(isRefreshToken(text)).toBe(false);
    },
  );

  it('have a five-character prefix for headers', () => {
    expect(refreshTokenPrefix('abcdefghijkl')).toBe('abcde');
  });
});
