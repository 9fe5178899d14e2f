import { describe, expect, it } from 'vitest';
import { normaliseTokenResponse } from './provider-fetch.ts';

describe('normaliseTokenResponse', () => {
  it.each([
    ['without a type', { access_token: 'x' }, { access_token: 'x', token_type: 'bearer' }],
    ['with a list of scopes', { access_token: 'x', scope: ['a', 'b'] }, { scope: 'a b' }],
    ['with a lifetime as text', { access_token: 'x', expires_in: '60' }, { expires_in: 60 }],
    ['with an invalid lifetime', { access_token: 'x', expires_in: 'never' }, { access_token: 'x' }],
    ['with further fields', { access_token: 'x', profile: { id: 1 } }, { profile: { id: 1 } }],
  ])('normalises a response %s', (_, response, expected) => {
    const tidied = normaliseTokenResponse(JSON.stringify(response));
    expect(tidied?.status).toBe(200);
    expect(JSON.parse(tidied?.body ?? '')).toMatchObject(expected);
  });

  it('reports an error response as status 400, regardless of its status', () => {
    const tidied = normaliseTokenResponse(
      '{"error":"bad_verification_code","error_description":"no","ok":false}',
    );
    expect(tidied?.status).toBe(400);
    expect(JSON.parse(tidied?.body ?? '')).toEqual({
      error: 'bad_verification_code',
      error_description: 'no',
    });
  });

  it.each(['', 'access_token=x', '[]', 'null', '1'])('ignores a body that is not an object: %j', (body) => {
    expect(normaliseTokenResponse(body)).toBeUndefined();
  });
});
