import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SmsSettings } from '../settings.ts';
import { type ProviderServer, startProviderServer } from '../testing/provider-server.ts';
import { probeSms } from './probe.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

const PROVIDERS = [
  [
    'twilio',
    { accountSid: 'AC1', authToken: 's', messageServiceSid: 'MG1' },
    '/2010-04-01/Accounts/AC1.json',
  ],
  ['twilio_verify', { accountSid: 'AC1', authToken: 's', messageServiceSid: 'VA1' }, '/v2/Services/VA1'],
  ['vonage', { apiKey: 'k', apiSecret: 's', from: 'R' }, '/account/get-balance?api_key=k&api_secret=s'],
  ['messagebird', { accessKey: 's', originator: 'R' }, '/balance'],
  ['textlocal', { apiKey: 's', sender: 'R' }, '/balance'],
] as const;

it.each(PROVIDERS)('%s is asked for the account only', async (provider, credentials, path) => {
  server.requests.length = 0;
  server.response = { status: 200, body: { status: 'success' } };
  await probeSms({ provider, credentials, url: server.url } as SmsSettings);
  expect(server.requests.map((request) => request.path)).toEqual([path]);
});

it.each(PROVIDERS)('%s with wrong credentials rejects', async (provider, credentials) => {
  server.response = { status: 401, body: {} };
  await expect(probeSms({ provider, credentials, url: server.url } as SmsSettings)).rejects.toThrow('401');
});
