import { expect, it } from 'vitest';
import { CAPTCHA_FIELD, captchaOptions } from './captcha-field.ts';

const form = (value?: string | Blob) => {
  const data = new FormData();
  if (typeof value === 'string') data.set(CAPTCHA_FIELD, value);
  else if (value) data.set(CAPTCHA_FIELD, value, 'token.txt');
  return data;
};

it.each(['a', 'P1_eyJ0.eyJ-x', 'x'.repeat(8192)])('returns the token $0', (token) => {
  expect(captchaOptions(form(token))).toEqual({ captchaToken: token });
});

it.each([
  ['a missing field', form()],
  ['an empty field', form('')],
  ['a token that is too long', form('x'.repeat(8193))],
  ['a file', form(new Blob(['token']))],
])('returns no token for %s', (_, data) => {
  expect(captchaOptions(data)).toEqual({});
});
