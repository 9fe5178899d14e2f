import { describe, expect, it } from 'vitest';
import { authErrorTexts } from '../../texts/auth-errors.ts';
import { readCallback } from './callback.ts';
import { type LinkResult, linkResultOf, resultInBrowser } from './link-result.ts';

const { expiredLink, accessDenied, unknownError, identityTaken } = authErrorTexts.en;

describe('linkResultOf', () => {
  it.each([
    ['', { kind: 'nothing' }],
    ['code=abc', { kind: 'nothing' }],
    ['message=Call+0900', { kind: 'other-link' }],
    ['session=fragment', { kind: 'in-fragment' }],
    [
      'error=access_denied&error_code=otp_expired&error_description=x',
      { kind: 'problem', text: expiredLink, isExpired: true },
    ],
    ['error=access_denied&error_description=x', { kind: 'problem', text: accessDenied, isExpired: false }],
    [
      'error=invalid_request&error_code=identity_already_exists',
      { kind: 'problem', text: identityTaken, isExpired: false },
    ],
    ['error_description=Call+0900', { kind: 'problem', text: unknownError, isExpired: false }],
    ['error=Call+0900&error_code=Call+0900', { kind: 'problem', text: unknownError, isExpired: false }],
  ])('returns the result for %j', (search, result) => {
    expect(linkResultOf(readCallback(new URLSearchParams(search)), 'en')).toEqual(result);
  });
});

describe('resultInBrowser', () => {
  const problem: LinkResult = { kind: 'problem', text: expiredLink, isExpired: true };
  const session = 'access_token=a&refresh_token=b&type=recovery';

  it.each<[LinkResult, string | undefined, ReturnType<typeof resultInBrowser>]>([
    [{ kind: 'in-fragment' }, undefined, { kind: 'in-fragment' }],
    [{ kind: 'in-fragment' }, '', { kind: 'nothing' }],
    [{ kind: 'in-fragment' }, session, { kind: 'session', session: { refreshToken: 'b', type: 'recovery' } }],
    [{ kind: 'nothing' }, session, { kind: 'session', session: { refreshToken: 'b', type: 'recovery' } }],
    [{ kind: 'in-fragment' }, 'error_code=otp_expired', problem],
    [{ kind: 'in-fragment' }, 'message=First', { kind: 'other-link' }],
    [problem, session, problem],
    [{ kind: 'other-link' }, session, { kind: 'other-link' }],
  ])('combines %j with the fragment %j', (result, fragment, shown) => {
    expect(resultInBrowser(result, fragment, 'en')).toEqual(shown);
  });
});
