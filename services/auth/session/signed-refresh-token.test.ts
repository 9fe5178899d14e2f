import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isSignedWith,
  openSessionKey,
  parseSignedToken,
  sealedSessionKey,
  signRefreshToken,
} from './signed-refresh-token.ts';

const SESSION = '0f1e2d3c-4b5a-4697-8879-6a5b4c3d2e1f';
const KEY = Buffer.alloc(32, 7);

/** Builds the token that GoTrue would create, by the layout alone. */
function foreignToken(counterBytes: number[], version = 0): string {
  const signed = Buffer.from([version, ...Buffer.from(SESSION.replaceAll('-', ''), 'hex'), ...counterBytes]);
  const signature = createHmac('sha256', KEY).update(signed).digest().subarray(0, 16);
  const token = Buffer.concat([signed, signature]);
  const checksum = createHash('sha256').update(token).digest().subarray(0, 4);
  return Buffer.concat([token, checksum]).toString('base64url');
}

describe('signed refresh tokens', () => {
  it.each([
    [0, [0]],
    [1, [1]],
    [127, [0x7f]],
    [128, [0x80, 0x01]],
    [300, [0xac, 0x02]],
    [2 ** 40, [0x80, 0x80, 0x80, 0x80, 0x80, 0x20]],
  ])("have GoTrue's layout: counter %d", (counter, bytes) => {
    expect(signRefreshToken(SESSION, counter, KEY)).toBe(foreignToken(bytes));
  });

  it('are parsed as signed, and verified with the key', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.maxSafeNat(), (sessionId, counter) => {
        const key = randomBytes(32);
        const token = parseSignedToken(signRefreshToken(sessionId, counter, key));
        expect(token).toMatchObject({ sessionId, counter });
        expect(token && isSignedWith(token, key)).toBe(true);
        expect(token && isSignedWith(token, randomBytes(32))).toBe(false);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['a token of version 1', 'abcdefghijkl'],
    ['another alphabet', `${foreignToken([0]).slice(0, -1)}+`],
    ['another version', foreignToken([0], 1)],
    ['no counter', foreignToken([])],
    ['an incomplete counter', foreignToken([0x80])],
    ['a counter with trailing bytes', foreignToken([0x01, 0x01])],
    ['a counter above the safe integers', foreignToken([...Array(9).fill(0xff), 0x01])],
    ['a counter that is too long', foreignToken(Array(11).fill(0x80))],
    ['two tokens', foreignToken([0]) + foreignToken([0])],
    ['a truncated token', foreignToken([0]).slice(0, -4)],
  ])('are malformed: %s', (_, text) => {
    expect(parseSignedToken(text)).toBeUndefined();
  });

  it('are rejected with any bit changed', () => {
    const bytes = Buffer.from(signRefreshToken(SESSION, 5, KEY), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(parseSignedToken(changed.toString('base64url')), `bit ${bit}`).toBeUndefined();
    }
  });
});

describe('keys of sessions', () => {
  it('are decrypted only with their secret and session', () => {
    const [secret, sessionId] = [randomBytes(32), randomUUID()];
    const { key, sealed } = sealedSessionKey(sessionId, secret);
    expect(sealed).not.toContain(key.toString('base64url'));
    expect(openSessionKey(sealed, sessionId, secret)).toEqual(key);
    expect(openSessionKey(sealed, randomUUID(), secret)).toBeUndefined();
    expect(openSessionKey(sealed, sessionId, randomBytes(32))).toBeUndefined();
  });

  it('may have been stored in plain text by GoTrue', () => {
    expect(openSessionKey(KEY.toString('base64url'), SESSION, randomBytes(32))).toEqual(KEY);
  });
});
