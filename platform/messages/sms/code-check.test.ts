/** Checks of codes by Twilio Verify, over a real HTTP server. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ProviderServer, startProviderServer } from '../testing/provider-server.ts';
import { createCodeCheck } from './code-check.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

function check(phone = '15550100', code = '123456') {
  const credentials = { accountSid: 'AC1', authToken: 'secret', messageServiceSid: 'VA/1' };
  return createCodeCheck({ provider: 'twilio_verify', credentials, url: server.url })?.(phone, code);
}

it('requests a check of the code', async () => {
  server.response = { status: 200, body: { status: 'approved', valid: true } };
  expect(await check('15550100&To=1', '1&Code=2')).toBe(true);
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      path: '/v2/Services/VA%2F1/VerificationCheck',
      headers: { authorization: `Basic ${Buffer.from('AC1:secret').toString('base64')}` },
      form: [
        ['To', '+15550100&To=1'],
        ['Code', '1&Code=2'],
      ],
    },
  ]);
});

it.each([
  [200, { status: 'approved', valid: false }],
  [200, { status: 'pending', valid: false }],
  [200, { status: 'pending', valid: true }],
  [200, { status: 'canceled', valid: false }],
  [400, { code: 60_200, message: 'Invalid parameter' }],
  [404, { code: 20_404, message: 'not found' }],
  [429, { code: 60_202, message: 'Max check attempts reached' }],
])('is not approved by %i with %j', async (status, body) => {
  server.response = { status, body };
  expect(await check()).toBe(false);
});

it.each([
  [401, { code: 20_003, message: 'Authenticate' }, '401: Authenticate (20003)'],
  [503, 'down', '503: no reason given'],
  [200, { status: 'approved' }, '200: no reason given'],
  [302, '', '302: no reason given'],
])('rejects after %i with %j', async (status, body, message) => {
  server.response = { status, body, headers: { location: '/elsewhere' } };
  await expect(check()).rejects.toThrow(message);
  expect(server.requests).toHaveLength(1);
});

it.each([
  undefined,
  { provider: 'textlocal', credentials: { apiKey: 'k', sender: 's' }, url: undefined } as const,
])('does not exist for %j', (settings) => {
  expect(createCodeCheck(settings)).toBeUndefined();
});
