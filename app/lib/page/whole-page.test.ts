import { expect, it } from 'vitest';
import { needsWholePage } from './whole-page.ts';

const url = 'https://greenroom.example/account';

it.each([
  ['streams an ordinary page', 'GET', url, false],
  ['sends a page whole on request', 'GET', `${url}?whole=`, true],
  ['sends the response to a form whole', 'POST', url, true],
])('%s', (_title, method, address, expected) => {
  expect(needsWholePage({ method, url: address })).toBe(expected);
});
