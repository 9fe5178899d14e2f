/** Senders of mail and SMS with the settings of an instance, and the servers that these settings name. */
import { type ConfigSource, loadSettings } from '@greenroom/config';
import { expect, it } from 'vitest';
import { createSmsSender, createSmtpSender } from './index.ts';
import { messageSettings } from './settings.ts';
import { startMailServer } from './testing/mail-server.ts';
import { startProviderServer } from './testing/provider-server.ts';

const NEVER = new AbortController().signal;
const MESSAGE = { id: '1', subject: 'Hello', text_body: 'Your code is 123456', html_body: null, code: null };

it('a mail reaches the configured server with its login and sender', async () => {
  const logins: unknown[] = [];
  const server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      logins.push([username, password]);
      done(null, { user: username });
    },
  });
  const { smtp } = loadSettings(messageSettings, {
    GOTRUE_SMTP_HOST: '127.0.0.1',
    GOTRUE_SMTP_PORT: String(server.port),
    GOTRUE_SMTP_USER: 'room',
    GOTRUE_SMTP_PASS: 'hunter2',
    GOTRUE_SMTP_ADMIN_EMAIL: 'admin@room.example',
    GOTRUE_SMTP_SENDER_NAME: 'The Room',
  });
  const sender = createSmtpSender(smtp ?? expect.unreachable('no mail server'));
  const mail = { ...MESSAGE, channel: 'mail', recipient: 'ann@example.org' } as const;
  expect(await sender.send(mail, NEVER)).toMatchObject({ isSent: true });
  sender.close();
  await server.stop();
  expect(logins).toEqual([['room', 'hunter2']]);
  expect(server.arrived).toMatchObject([{ from: 'admin@room.example', to: ['ann@example.org'] }]);
  expect(server.arrived[0]?.source).toContain('From: The Room <admin@room.example>');
});

it.each<[provider: string, credentials: ConfigSource, expected: { path: string; values: string[] }]>([
  [
    'twilio',
    { ACCOUNT_SID: 'AC1', AUTH_TOKEN: 'hunter2', MESSAGE_SERVICE_SID: 'MG1' },
    {
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      values: [`Basic ${Buffer.from('AC1:hunter2').toString('base64')}`, 'MG1'],
    },
  ],
  [
    'vonage',
    { API_KEY: 'key', API_SECRET: 'hunter2', FROM: 'Room' },
    { path: '/sms/json', values: ['key', 'hunter2', 'Room'] },
  ],
  [
    'messagebird',
    { ACCESS_KEY: 'hunter2', ORIGINATOR: 'Room' },
    { path: '/messages', values: ['AccessKey hunter2', 'Room'] },
  ],
  ['textlocal', { API_KEY: 'hunter2', SENDER: 'Room' }, { path: '/send', values: ['hunter2', 'Room'] }],
])(
  'an SMS is sent by %s with its configured credentials',
  async (provider, credentials, { path, values }) => {
    const server = await startProviderServer();
    const named = Object.entries(credentials).map(([name, text]) => [
      `GOTRUE_SMS_${provider.toUpperCase()}_${name}`,
      text,
    ]);
    const { sms } = loadSettings(messageSettings, {
      ...Object.fromEntries(named),
      GOTRUE_SMS_PROVIDER: provider,
      GREENROOM_SMS_PROVIDER_URL: server.url,
    });
    const sender = createSmsSender(sms ?? expect.unreachable('no provider'));
    await sender.send({ ...MESSAGE, channel: 'sms', recipient: '15550100' }, NEVER);
    await server.close();
    const [request] = server.requests;
    const sent = [request?.headers.authorization, ...(request?.form ?? []).map(([, value]) => value)];
    expect(request?.path).toBe(path);
    expect(sent).toEqual(expect.arrayContaining(values));
  },
);
