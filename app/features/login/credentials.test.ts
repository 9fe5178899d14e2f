import { describe, expect, it } from 'vitest';
import type { LoginView } from '../../session/login-view.ts';
import { loginProblemTexts } from '../../texts/login-problems.ts';
import { checkCredentials, type LoginProblems } from './credentials.ts';

const views = {
  signIn: { mode: 'sign-in', by: 'email' },
  signUp: { mode: 'sign-up', by: 'email' },
  phoneIn: { mode: 'sign-in', by: 'phone' },
  phoneUp: { mode: 'sign-up', by: 'phone' },
} satisfies Record<string, LoginView>;

/** A form as a browser submits it. */
function form(fields: Record<string, string | Blob>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

const notAnEmail = { identifier: 'Enter a valid email address, for example name@example.com.' };
const notAPhone = {
  identifier: 'Enter a valid phone number with its country code, for example +44 7700 900123.',
};
const tooLong = { password: 'Passwords can have at most 72 characters, fewer with accents or emoji.' };

describe('checkCredentials', () => {
  it.each<[string, LoginView, Record<string, string>, object]>([
    [
      'an email',
      views.signIn,
      { email: ' ada@example.com ', password: 'x' },
      { email: 'ada@example.com', password: 'x' },
    ],
    [
      'a password with spaces',
      views.signIn,
      { email: 'a@b', password: ' x ' },
      { email: 'a@b', password: ' x ' },
    ],
    [
      'a phone',
      views.phoneIn,
      { phone: '+44 (7700) 900-123', password: 'x' },
      { phone: '447700900123', password: 'x' },
    ],
    [
      'a phone number with 00',
      views.phoneIn,
      { phone: '0044 7700.900123', password: 'x' },
      { phone: '447700900123', password: 'x' },
    ],
    [
      'a password with six characters',
      views.signUp,
      { email: 'a@b', password: '123456' },
      { email: 'a@b', password: '123456' },
    ],
    [
      'a password with 72 bytes',
      views.signUp,
      { email: 'a@b', password: 'x'.repeat(72) },
      { email: 'a@b', password: 'x'.repeat(72) },
    ],
    [
      'a longer password for a sign-in',
      views.signIn,
      { email: 'a@b', password: 'x'.repeat(73) },
      { email: 'a@b', password: 'x'.repeat(73) },
    ],
  ])('accepts %s', (_name, view, fields, credentials) => {
    expect(checkCredentials(view, form(fields), loginProblemTexts.en)).toEqual({ credentials });
  });

  it.each<[string, LoginView, Record<string, string>, LoginProblems]>([
    [
      'an empty form',
      views.signIn,
      {},
      { identifier: 'Enter your email address.', password: 'Enter your password.' },
    ],
    [
      'an empty form with phone',
      views.phoneUp,
      {},
      { identifier: 'Enter your phone number.', password: 'Choose a password.' },
    ],
    ['a form without a password', views.signIn, { email: 'a@b' }, { password: 'Enter your password.' }],
    [
      'a form with spaces only',
      views.signIn,
      { email: '  ', password: 'x' },
      { identifier: 'Enter your email address.' },
    ],
    [
      'a form with another identifier',
      views.signIn,
      { phone: '447700900123', password: 'x' },
      { identifier: 'Enter your email address.' },
    ],
  ])('reports a missing field in %s', (_name, view, fields, expected) => {
    const problems = { form: 'You must provide either an email or phone number and a password', ...expected };
    expect(checkCredentials(view, form(fields), loginProblemTexts.en)).toEqual({ problems, status: 400 });
  });

  it.each<[string, LoginView, Record<string, string>, LoginProblems]>([
    ['an email without @', views.signIn, { email: 'ada', password: 'x' }, notAnEmail],
    ['an email with two @', views.signIn, { email: 'a@b@c', password: 'x' }, notAnEmail],
    ['an email with a space', views.signIn, { email: 'a b@c', password: 'x' }, notAnEmail],
    ['an email with NUL', views.signIn, { email: 'a\0@c', password: 'x' }, notAnEmail],
    [
      'an email that is too long',
      views.signIn,
      { email: `${'a'.repeat(254)}@b`, password: 'x' },
      { identifier: 'Email addresses can have at most 255 characters.' },
    ],
    ['letters in a phone number', views.phoneIn, { phone: 'call me', password: 'x' }, notAPhone],
    ['a national phone number', views.phoneIn, { phone: '07700 900123', password: 'x' }, notAPhone],
    [
      'a phone number that is too long',
      views.phoneIn,
      { phone: '1234567890123456', password: 'x' },
      notAPhone,
    ],
    [
      'NUL in a password',
      views.signIn,
      { email: 'a@b', password: 'x\0' },
      { password: 'Passwords can’t contain null characters.' },
    ],
    [
      'a password with five characters',
      views.signUp,
      { email: 'a@b', password: '12345' },
      { password: 'This password is too short.' },
    ],
    [
      'a password with five emoji',
      views.signUp,
      { email: 'a@b', password: '😀😀😀😀😀' },
      { password: 'This password is too short.' },
    ],
    ['a password with 73 bytes', views.signUp, { email: 'a@b', password: 'x'.repeat(73) }, tooLong],
    [
      'a password with 73 bytes in fewer letters',
      views.signUp,
      { email: 'a@b', password: `${'é'.repeat(36)}x` },
      tooLong,
    ],
    [
      'two invalid fields',
      views.signUp,
      { email: 'a', password: 'x' },
      { ...notAnEmail, password: 'This password is too short.' },
    ],
  ])('rejects %s', (_name, view, fields, problems) => {
    expect(checkCredentials(view, form(fields), loginProblemTexts.en)).toEqual({ problems, status: 422 });
  });

  it('treats a file as empty', () => {
    const fields = form({ email: new Blob(['ada@example.com']), password: 'x' });
    expect(checkCredentials(views.signIn, fields, loginProblemTexts.en)).toMatchObject({ status: 400 });
  });
});
