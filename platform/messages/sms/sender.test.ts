/** Requests to each provider, and the outcomes of its responses, over a real HTTP server. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SmsCredentials, SmsProviderName, SmsSettings } from '../settings.ts';
import { type ProviderServer, startProviderServer } from '../testing/provider-server.ts';
import { createSmsSender } from './sender.ts';

const CREDENTIALS: SmsCredentials = {
  twilio: { accountSid: 'AC/1', authToken: 'secret', messageServiceSid: 'MG1' },
  twilio_verify: { accountSid: 'AC/1', authToken: 'secret', messageServiceSid: 'VA/1' },
  vonage: { apiKey: 'key', apiSecret: 'secret', from: 'Room' },
  messagebird: { accessKey: 'secret', originator: 'Room' },
  textlocal: { apiKey: 'secret', sender: 'Room' },
};
const NEVER = new AbortController().signal;

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

const settings = (provider: SmsProviderName, credentials = {}) =>
  ({ provider, credentials: { ...CREDENTIALS[provider], ...credentials }, url: server.url }) as SmsSettings;
const message = {
  id: '1',
  channel: 'sms' as 'sms' | 'whatsapp',
  recipient: '15550100',
  subject: null,
  text_body: 'Your code is 123456',
  html_body: null,
  code: '123456' as string | null,
};
const send = (provider: SmsProviderName, changes: Partial<typeof message> = {}, credentials = {}) =>
  createSmsSender(settings(provider, credentials)).send({ ...message, ...changes }, NEVER);

describe('a request', () => {
  const BASIC = `Basic ${Buffer.from('AC/1:secret').toString('base64')}`;
  const twilio = { To: '+15550100', From: 'MG1', Channel: 'sms', Body: 'Your code is 123456' };
  const vonage = {
    from: 'Room',
    to: '15550100',
    text: 'Your code is 123456',
    api_key: 'key',
    api_secret: 'secret',
  };

  it.each([
    ['twilio', {}, '/2010-04-01/Accounts/AC%2F1/Messages.json', BASIC, twilio],
    ['twilio_verify', {}, '/v2/Services/VA%2F1/Verifications', BASIC, { To: '+15550100', Channel: 'sms' }],
    [
      'twilio_verify',
      { channel: 'whatsapp' as const },
      '/v2/Services/VA%2F1/Verifications',
      BASIC,
      { To: '+15550100', Channel: 'whatsapp' },
    ],
    ['vonage', {}, '/sms/json', undefined, vonage],
    [
      'vonage',
      { text_body: 'Ihr Code: ä' },
      '/sms/json',
      undefined,
      { ...vonage, text: 'Ihr Code: ä', type: 'unicode' },
    ],
    [
      'messagebird',
      {},
      '/messages',
      'AccessKey secret',
      {
        originator: 'Room',
        body: 'Your code is 123456',
        recipients: '15550100',
        type: 'sms',
        datacoding: 'unicode',
      },
    ],
    [
      'textlocal',
      {},
      '/send',
      undefined,
      { sender: 'Room', apikey: 'secret', message: 'Your code is 123456', numbers: '15550100' },
    ],
  ] as const)('to %s with %j has the path %s', async (provider, changes, path, authorization, form) => {
    await send(provider, changes);
    const [request] = server.requests;
    expect(server.requests).toHaveLength(1);
    expect(request).toMatchObject({ method: 'POST', path });
    expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(request?.headers.authorization).toBe(authorization);
    expect(Object.fromEntries(request?.form ?? [])).toEqual(form);
  });

  it.each([
    ['MG1', 'MG1'],
    ['15550199', 'whatsapp:15550199'],
    ['+15550199', 'whatsapp:+15550199'],
  ])('by WhatsApp from %s has the sender %s', async (messageServiceSid, from) => {
    await send('twilio', { channel: 'whatsapp' }, { messageServiceSid });
    expect(Object.fromEntries(server.requests[0]?.form ?? [])).toEqual({
      To: 'whatsapp:+15550100',
      From: from,
      Channel: 'whatsapp',
      Body: 'Your code is 123456',
    });
  });

  it.each([
    [
      'whatsapp with a code',
      { channel: 'whatsapp' },
      { ContentSid: 'HX1', ContentVariables: '{"1":"123456"}' },
    ],
    ['whatsapp without a code', { channel: 'whatsapp', code: null }, { Body: 'Your code is 123456' }],
    ['sms', {}, { Body: 'Your code is 123456' }],
  ] as const)('to twilio with a template has the content of %s', async (_, changes, content) => {
    await send('twilio', changes, { contentSid: 'HX1' });
    const {
      To: _to,
      From: _from,
      Channel: _channel,
      ...rest
    } = Object.fromEntries(server.requests[0]?.form ?? []);
    expect(rest).toEqual(content);
  });

  it.each(['twilio', 'vonage', 'messagebird', 'textlocal'] as const)(
    'to %s has each field once, for any message text',
    async (provider) => {
      const recipient = '15550100&to=1&To=1&recipients=1&numbers=1\r\nX: y';
      await send(provider, { recipient, text_body: 'a&apikey=b\r\nHost: evil.example' });
      const [{ form, headers } = { form: [], headers: {} }] = server.requests;
      expect(new Set(form.map(([name]) => name)).size).toBe(form.length);
      expect(form.map(([, value]) => value)).toContain('a&apikey=b\r\nHost: evil.example');
      expect(headers).not.toHaveProperty('x');
      expect(headers.host).toBe(new URL(server.url).host);
    },
  );
});

describe('a response', () => {
  const vonage = (status: string, text?: string) => ({
    messages: [{ 'message-id': 'm1', status, ...(text && { 'error-text': text }) }],
  });
  const sent = (providerId?: string) => ({ isSent: true, providerId });
  const permanentFailure = (reason: string) => ({ isSent: false, isPermanent: true, reason });
  const temporaryFailure = (reason: string) => ({ isSent: false, isPermanent: false, reason });
  const UNREADABLE = temporaryFailure('the response could not be parsed');

  it.each([
    ['twilio', 201, { sid: 'SM1', status: 'queued', error_code: null, error_message: null }, sent('SM1')],
    [
      'twilio',
      201,
      { sid: 'SM1', status: 'failed', error_code: 30003, error_message: 'gone' },
      permanentFailure('failed: gone (30003)'),
    ],
    ['twilio', 201, { sid: 'SM1', status: 'undelivered' }, permanentFailure('undelivered:  (no code)')],
    ['twilio', 400, { code: 21211, message: 'invalid To' }, permanentFailure('400: invalid To (21211)')],
    ['twilio', 429, { code: 20429, message: 'too many' }, temporaryFailure('429: too many (20429)')],
    ['twilio', 200, '<html>', UNREADABLE],
    ['twilio_verify', 201, { sid: 'VE1', status: 'pending', valid: false }, sent('VE1')],
    [
      'twilio_verify',
      400,
      { code: 60200, message: 'invalid To' },
      permanentFailure('400: invalid To (60200)'),
    ],
    ['twilio_verify', 429, { code: 60203, message: 'too many' }, temporaryFailure('429: too many (60203)')],
    ['twilio_verify', 200, {}, UNREADABLE],
    ['vonage', 200, vonage('0'), sent('m1')],
    ['vonage', 200, vonage('1', 'throttled'), temporaryFailure('throttled (1)')],
    ['vonage', 200, vonage('5', 'internal'), temporaryFailure('internal (5)')],
    ['vonage', 200, vonage('4', 'bad credentials'), temporaryFailure('bad credentials (4)')],
    ['vonage', 200, vonage('9'), temporaryFailure('no reason given (9)')],
    ['vonage', 200, vonage('6'), permanentFailure('no reason given (6)')],
    [
      'vonage',
      200,
      { messages: [...vonage('0').messages, ...vonage('6', 'bad part').messages] },
      permanentFailure('bad part (6)'),
    ],
    ['vonage', 200, { messages: [] }, UNREADABLE],
    ['messagebird', 201, { id: 'mb1', recipients: { totalSentCount: 1 } }, sent('mb1')],
    [
      'messagebird',
      201,
      { id: 'mb1', recipients: { totalSentCount: 0 } },
      permanentFailure('accepted for no recipient (totalSentCount is 0)'),
    ],
    [
      'messagebird',
      422,
      { errors: [{ code: 9, description: 'no recipients' }] },
      permanentFailure('422: no recipients (9)'),
    ],
    ['messagebird', 401, { errors: [] }, temporaryFailure('401: no reason given')],
    ['twilio', 403, { code: 20003, message: 'Authenticate' }, temporaryFailure('403: Authenticate (20003)')],
    [
      'textlocal',
      200,
      { status: 'failure', errors: [{ code: 3, message: 'Invalid login' }] },
      temporaryFailure('Invalid login (3)'),
    ],
    ['messagebird', 200, {}, UNREADABLE],
    ['textlocal', 200, { status: 'success', messages: [{ id: '7' }] }, sent('7')],
    ['textlocal', 200, { status: 'success', messages: [{ id: 7 }] }, sent('7')],
    ['textlocal', 200, { status: 'success' }, sent(undefined)],
    [
      'textlocal',
      200,
      { status: 'failure', errors: [{ code: 80, message: 'template' }] },
      permanentFailure('template (80)'),
    ],
    ['textlocal', 200, { status: 'failure' }, permanentFailure('status failure')],
    ['textlocal', 200, 'ok', UNREADABLE],
  ] as const)('of %s with %i and %j has the outcome $3', async (provider, status, body, outcome) => {
    server.response = { status, body };
    expect(await send(provider)).toEqual(outcome);
  });

  it.each([
    [302, false],
    [400, true],
    [401, false],
    [402, false],
    [403, false],
    [404, true],
    [408, false],
    [429, false],
    [500, false],
    [503, false],
  ])('with status %i is permanent: %s', async (status, isPermanent) => {
    for (const provider of ['twilio', 'twilio_verify', 'vonage', 'messagebird', 'textlocal'] as const) {
      server.response = { status, body: 'no JSON', headers: { location: '/elsewhere' } };
      expect(await send(provider)).toEqual({
        isSent: false,
        isPermanent,
        reason: `${status}: no reason given`,
      });
    }
    expect(server.requests.map(({ path }) => path)).not.toContain('/elsewhere');
  });
});

it('a request that takes too long is aborted', async () => {
  server.response = undefined;
  const timeout = new AbortController();
  const sending = createSmsSender(settings('textlocal')).send(message, timeout.signal);
  while (server.requests.length === 0) await new Promise(setImmediate);
  timeout.abort();
  await expect(sending).rejects.toThrow('aborted');
});
