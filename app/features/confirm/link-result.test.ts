import { describe, expect, it } from 'vitest';
import { authErrorTexts } from '../../texts/auth-errors.ts';
import { readCallback } from './callback.ts';
import { linkResultOf } from './link-result.ts';

const { expiredLink, accessDenied, unknownError, identityTaken } = authErrorTexts.en;

describe('linkResultOf', () => {
  it.each([
    ['', { kind: 'nothing' }],
    ['code=abc', { kind: 'nothing' }],
    ['message=Call+0900', { kind: 'other-link' }],
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
