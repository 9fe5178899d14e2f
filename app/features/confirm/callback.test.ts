import { describe, expect, it } from 'vitest';
import { type Callback, readCallback, readFragmentSession } from './callback.ts';

describe('readCallback', () => {
  it.each<[string, Callback]>([
    ['code=abc', { kind: 'code', code: 'abc' }],
    ['code=', { kind: 'nothing' }],
    ['token_hash=ab&type=invite', { kind: 'token', tokenHash: 'ab', type: 'invite' }],
    ['token_hash=ab&type=email_change', { kind: 'nothing' }],
    ['token_hash=&type=invite', { kind: 'nothing' }],
    ['', { kind: 'nothing' }],
    ['other=1', { kind: 'nothing' }],
    ['access_token=a&refresh_token=b', { kind: 'nothing' }],
    ['session=fragment', { kind: 'in-fragment' }],
    ['session=other', { kind: 'nothing' }],
    ['session=fragment&error_code=otp_expired', { kind: 'error', code: 'otp_expired' }],
    [
      'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid&sb=',
      { kind: 'error', code: 'otp_expired' },
    ],
    [
      'error=access_denied&error_code=bad_oauth_callback&error_description=Cancelled',
      { kind: 'error', code: 'access_denied' },
    ],
    [
      'error=invalid_request&error_code=bad_oauth_callback&error_description=Odd',
      { kind: 'error', code: 'bad_oauth_callback' },
    ],
    ['error=access_denied', { kind: 'error', code: 'access_denied' }],
    ['error_description=Odd', { kind: 'error', code: undefined }],
    ['error_code=otp_expired', { kind: 'error', code: 'otp_expired' }],
    ['message=Confirmation+link+accepted&sb=', { kind: 'other-link' }],
    ['message=x&code=abc', { kind: 'code', code: 'abc' }],
    ['message=x&error=y', { kind: 'error', code: 'y' }],
    ['error=server_error&code=abc', { kind: 'error', code: 'server_error' }],
  ])('parses %j', (search, callback) => {
    expect(readCallback(new URLSearchParams(search))).toEqual(callback);
  });
});

describe('readFragmentSession', () => {
  it.each([
    ['access_token=a&refresh_token=b&type=invite&sb=', { refreshToken: 'b', type: 'invite' }],
    ['refresh_token=b', { refreshToken: 'b', type: '' }],
    ['access_token=a&refresh_token=', undefined],
    ['', undefined],
  ])('parses %j', (fragment, session) => {
    expect(readFragmentSession(new URLSearchParams(fragment))).toEqual(session);
  });
});
