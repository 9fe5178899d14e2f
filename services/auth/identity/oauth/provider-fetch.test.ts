import { describe, expect, it } from 'vitest';
import { tidyTokenAnswer } from './provider-fetch.ts';

describe("a token endpoint's answer", () => {
  it.each([
    ['without a type', { access_token: 'x' }, { access_token: 'x', token_type: 'bearer' }],
    ['with a list of scopes', { access_token: 'x', scope: ['a', 'b'] }, { scope: 'a b' }],
    ['with a lifetime as text', { access_token: 'x', expires_in: '60' }, { expires_in: 60 }],
    ['with a lifetime that is none', { access_token: 'x', expires_in: 'never' }, { access_token: 'x' }],
    ['with more', { access_token: 'x', profile: { id: 1 } }, { profile: { id: 1 } }],
  ])('%s is as the standard has it', (_, answer, expected) => {
    const tidied = tidyTokenAnswer(JSON.stringify(answer));
    expect(tidied?.status).toBe(200);
    expect(JSON.parse(tidied?.body ?? '')).toMatchObject(expected);
  });

  it('that is an error is one, whatever its status', () => {
    const tidied = tidyTokenAnswer('{"error":"bad_verification_code","error_description":"no","ok":false}');
    expect(tidied?.status).toBe(400);
    expect(JSON.parse(tidied?.body ?? '')).toEqual({
      error: 'bad_verification_code',
      error_description: 'no',
    });
  });

  it.each(['', 'access_token=x', '[]', 'null', '1'])('that is no object is left alone: %j', (body) => {
    expect(tidyTokenAnswer(body)).toBeUndefined();
  });
});
