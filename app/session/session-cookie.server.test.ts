import { createChunks, stringToBase64URL } from '@supabase/ssr';
import { describe, expect, it } from 'vitest';
import { CookieJar } from './cookie-jar.server.ts';
import { readSessionTokens } from './session-cookie.server.ts';

const KEY = 'sb-127-auth-token';
/** Maximum length of a value in one cookie, by the specification. */
const CHUNK = 3180;
const session = { access_token: 'a', refresh_token: 'r', expires_at: 1700003600, token_type: 'bearer' };
const encode = (value: unknown) => `base64-${stringToBase64URL(JSON.stringify(value))}`;

function read(cookies: { name: string; value: string }[]) {
  const header = cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
  return readSessionTokens(new CookieJar(header, false), KEY);
}

/** A session whose encoded cookie has this many characters. */
function sessionOfLength(length: number) {
  const bare = { ...session, access_token: '' };
  let padded = bare;
  while (encode(padded).length < length) padded = { ...padded, access_token: `${padded.access_token}x` };
  return padded;
}

describe('readSessionTokens', () => {
  it.each([CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 1])('joins chunks: %i characters', async (length) => {
    const original = sessionOfLength(length);
    const chunks = createChunks(KEY, encode(original));
    expect(chunks.length > 1).toBe(encode(original).length > CHUNK);
    expect(await read(chunks)).toEqual(original);
  });

  it('keeps characters of any language intact', async () => {
    const original = { ...session, user: { name: '😀é漢'.repeat(900) } };
    expect(await read(createChunks(KEY, encode(original)))).toEqual(original);
  });

  it('accepts an unencoded value of earlier releases', async () => {
    expect(await read([{ name: KEY, value: JSON.stringify(session) }])).toEqual(session);
  });

  it('prefers the whole cookie to chunks', async () => {
    const other = { name: `${KEY}.0`, value: encode({ ...session, access_token: 'old' }) };
    expect(await read([other, { name: KEY, value: encode(session) }])).toEqual(session);
  });

  const chunks = createChunks(KEY, encode(sessionOfLength(2 * CHUNK + 1)));
  it.each([
    ['a missing cookie', []],
    ['an empty value', [{ name: KEY, value: '' }]],
    ['a missing first chunk', chunks.slice(1)],
    ['a missing middle chunk', chunks.filter(({ name }) => name !== `${KEY}.1`)],
    ['a missing last chunk', chunks.slice(0, -1)],
    [
      'a garbled chunk',
      chunks.map(({ name, value }) => ({ name, value: name.endsWith('.1') ? '%%%' : value })),
    ],
    ['an unencoded invalid value', [{ name: KEY, value: 'garbage' }]],
    ['invalid base64', [{ name: KEY, value: 'base64-%%%' }]],
    ['invalid JSON', [{ name: KEY, value: `base64-${stringToBase64URL('{oops')}` }]],
    ['null', [{ name: KEY, value: encode(null) }]],
    ['a number', [{ name: KEY, value: encode(5) }]],
    ['a list', [{ name: KEY, value: encode([]) }]],
    ['a token of another type', [{ name: KEY, value: encode({ ...session, access_token: {} }) }]],
    ['a missing refresh token', [{ name: KEY, value: encode({ ...session, refresh_token: undefined }) }]],
    ['a time of another type', [{ name: KEY, value: encode({ ...session, expires_at: 'soon' }) }]],
  ])('returns undefined for %s', async (_name, cookies) => {
    expect(await read(cookies)).toBeUndefined();
  });
});
