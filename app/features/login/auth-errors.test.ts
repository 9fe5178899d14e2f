import {
  AuthApiError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthWeakPasswordError,
} from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import {
  type AuthFailure,
  describeAuthError,
  describeLinkError,
  type PlainError,
} from '../../session/auth-errors.ts';
import { authErrorTexts } from '../../texts/auth-errors.ts';

const refusal = (status: number, code: string | undefined, message = 'raw text') =>
  new AuthApiError(message, status, code);

const GENERIC = authErrorTexts.en.unknownError;

describe('describeAuthError', () => {
  it.each<[string, AuthFailure, PlainError]>([
    [
      'a wrong password',
      refusal(400, 'invalid_credentials', 'Invalid login credentials'),
      { field: 'form', message: 'Incorrect email address, phone number or password.', status: 400 },
    ],
    [
      'a taken address',
      refusal(422, 'user_already_exists'),
      {
        field: 'form',
        message: 'An account with this email address or phone number already exists. Sign in instead.',
        status: 422,
      },
    ],
    [
      'too many attempts',
      refusal(429, 'over_request_rate_limit'),
      { field: 'form', message: 'Too many attempts. Wait a few minutes and try again.', status: 429 },
    ],
    [
      'an invalid email',
      refusal(400, 'validation_failed', 'Unable to validate email address: invalid format'),
      {
        field: 'identifier',
        message: 'Enter a valid email address, for example name@example.com.',
        status: 400,
      },
    ],
    [
      'an invalid phone number',
      refusal(400, 'validation_failed', 'Invalid phone number format (E.164 required)'),
      {
        field: 'identifier',
        message: 'Enter a valid phone number with its country code, for example +44 7700 900123.',
        status: 400,
      },
    ],
    [
      'a missing password',
      refusal(400, 'validation_failed', 'Signup requires a valid password'),
      { field: 'password', message: 'Choose a password.', status: 400 },
    ],
    [
      'a password that is too long for bcrypt',
      refusal(400, 'validation_failed', 'Password cannot be longer than 72 characters'),
      {
        field: 'password',
        message: 'Passwords can have at most 72 characters, fewer with accents or emoji.',
        status: 400,
      },
    ],
    [
      'a weak password with reasons',
      new AuthWeakPasswordError('weak', 422, ['length', 'pwned']),
      { field: 'password', message: 'This password is too weak.', status: 422 },
    ],
    [
      'a weak password without reasons',
      refusal(422, 'weak_password'),
      { field: 'password', message: 'This password is too weak.', status: 422 },
    ],
    [
      'another validation error',
      refusal(400, 'validation_failed', 'Something is odd'),
      { field: 'form', message: 'Your input is invalid. Check it and try again.', status: 400 },
    ],
    [
      'an unknown code',
      refusal(418, 'teapot', 'I am a teapot'),
      { field: 'form', message: GENERIC, status: 418 },
    ],
    [
      'a code like a property of Object',
      refusal(400, 'constructor', 'odd'),
      { field: 'form', message: GENERIC, status: 400 },
    ],
    ['a missing code', refusal(400, undefined, 'odd'), { field: 'form', message: GENERIC, status: 400 }],
    [
      'a missing session',
      new AuthSessionMissingError(),
      { field: 'form', message: authErrorTexts.en.sessionExpired, status: 400 },
    ],
    [
      'a missing status',
      { name: 'AuthError', message: 'odd' },
      { field: 'form', message: GENERIC, status: 400 },
    ],
  ])('describes %s', (_name, error, plain) => {
    expect(describeAuthError(error, 'en')).toEqual(plain);
  });

  it.each([
    ['a network error', new AuthRetryableFetchError('fetch failed', 0)],
    ['an internal error', refusal(500, 'unexpected_failure', 'pq: secret')],
  ])('does not treat %s as a rejection', (_name, error) => {
    const plain = describeAuthError(error, 'en');
    expect(plain.status).toBe(503);
    expect(plain.message).toContain('can’t be reached');
  });

  it.each<[string, AuthFailure, PlainError['field'], string]>([
    [
      'a wrong password',
      refusal(400, 'invalid_credentials'),
      'form',
      'E-Mail-Adresse, Telefonnummer oder Passwort ist falsch.',
    ],
    [
      'an invalid email',
      refusal(400, 'validation_failed', 'Unable to validate email address: invalid format'),
      'identifier',
      'Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    ],
    [
      'a weak password with reasons',
      new AuthWeakPasswordError('weak', 422, ['length', 'pwned']),
      'password',
      'Dieses Passwort ist zu schwach.',
    ],
    [
      'a network error',
      new AuthRetryableFetchError('fetch failed', 0),
      'form',
      'Der Anmeldedienst ist derzeit nicht erreichbar. Es ging nichts verloren. Bitte versuchen Sie es gleich erneut.',
    ],
    ['an unknown code', refusal(418, 'teapot', 'I am a teapot'), 'form', authErrorTexts.de.unknownError],
  ])('translates %s to German', (_name, error, field, message) => {
    expect(describeAuthError(error, 'de')).toMatchObject({ field, message });
  });

  it('returns the message of a hook', () => {
    const { message } = describeAuthError(refusal(403, 'unknown', 'Only for members.'), 'de');
    expect(message).toBe('Only for members.');
  });
});

describe('describeLinkError', () => {
  it.each([undefined, '', 'teapot', 'constructor', '__proto__', '<b>Call 0900</b>'])(
    'returns the general sentence for %s',
    (code) => {
      expect(describeLinkError(code, 'en')).toEqual({ field: 'form', message: GENERIC, status: 400 });
    },
  );
});
