import { expect, it } from 'vitest';
import { responseUrl } from './response-url.ts';

it.each<[unknown, string | undefined]>([
  [
    { redirect_url: 'https://app.example/callback?code=a&state=b' },
    'https://app.example/callback?code=a&state=b',
  ],
  [{ redirect_url: 'http://127.0.0.1:4000/?code=a' }, 'http://127.0.0.1:4000/?code=a'],
  [{ redirect_url: 'com.example.app:/callback?code=a' }, 'com.example.app:/callback?code=a'],
  [{ redirect_url: 'javascript:alert(1)' }, undefined],
  [{ redirect_url: ' JavaScript:alert(1)' }, undefined],
  [{ redirect_url: 'data:text/html,hello' }, undefined],
  [{ redirect_url: 'view-source:https://app.example' }, undefined],
  [{ redirect_url: '/callback' }, undefined],
  [{ redirect_url: 7 }, undefined],
  [{ authorization_id: 'a' }, undefined],
  [null, undefined],
  [undefined, undefined],
])('validates %j', (response, address) => {
  expect(responseUrl(response)).toBe(address);
});
