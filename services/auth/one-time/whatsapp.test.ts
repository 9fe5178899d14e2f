/** Codes by WhatsApp, which only Twilio supports. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { newPhone, PASSWORD, signUpPerson } from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

const TWILIO = {
  GOTRUE_SMS_PROVIDER: 'twilio',
  GOTRUE_SMS_TWILIO_ACCOUNT_SID: 'AC1',
  GOTRUE_SMS_TWILIO_AUTH_TOKEN: 'secret',
  GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: 'MG1',
};
const VONAGE = {
  GOTRUE_SMS_PROVIDER: 'vonage',
  GOTRUE_SMS_VONAGE_API_KEY: 'key',
  GOTRUE_SMS_VONAGE_API_SECRET: 'secret',
  GOTRUE_SMS_VONAGE_FROM: 'Room',
};
const COMMON = {
  GOTRUE_SMS_AUTOCONFIRM: 'false',
  GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
  GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
};

let twilio: AuthServer;
let vonage: AuthServer;
/** Queues its messages for delivery. */
let delivering: AuthServer;
beforeAll(async () => {
  twilio = await startAuthServer({ ...COMMON, ...TWILIO });
  vonage = await startAuthServer({ ...COMMON, ...VONAGE }, twilio);
  delivering = await startAuthServer({ ...COMMON, ...TWILIO }, twilio, { sendsSms: true });
});
afterAll(async () => {
  await delivering.close();
  await vonage.close();
  await twilio.close();
});

/** Requests a code for a number. */
type CodeRequest = (server: AuthServer, phone: string, channel: string) => Promise<Call>;

const REQUESTS: [string, CodeRequest][] = [
  [
    'a sign-up',
    async (_server, phone, channel) => ({
      method: 'POST',
      path: '/signup',
      body: { phone, password: PASSWORD, channel },
    }),
  ],
  [
    'a code to sign in with',
    async (_server, phone, channel) => ({ method: 'POST', path: '/otp', body: { phone, channel } }),
  ],
  [
    'a new number',
    async (server, phone, channel) => ({
      method: 'PUT',
      path: '/user',
      bearer: (await signUpPerson(server)).accessToken,
      body: { phone, channel },
    }),
  ],
  [
    'a second factor',
    async (server, phone, channel) => {
      const { accessToken: bearer } = await signUpPerson(server);
      const body = { factor_type: 'phone', friendly_name: 'Phone', phone };
      const { json } = await send(server, { method: 'POST', path: '/factors', bearer, body });
      return { method: 'POST', path: `/factors/${json.id}/challenge`, bearer, body: { channel } };
    },
  ],
];

async function channelsTo(phone: string): Promise<string[]> {
  const text = 'select channel from greenroom.messages where recipient = $1';
  const rows = await twilio.database.admin.query<{ channel: string }>({ text, values: [phone] });
  return rows.map(({ channel }) => channel);
}

describe.each(REQUESTS)('%s', (_name, request) => {
  it.each([
    ['', 'sms'],
    ['sms', 'sms'],
    ['whatsapp', 'whatsapp'],
  ])('with channel %j is sent by %s if Twilio is the provider', async (channel, expected) => {
    const phone = newPhone();
    const response = await send(twilio, await request(twilio, phone, channel));
    expect(response.status, response.text).toBe(200);
    expect(await channelsTo(phone)).toEqual([expected]);
  });

  it('by WhatsApp has the code apart from the text, for a template', async () => {
    const phone = newPhone();
    await send(delivering, await request(delivering, phone, 'whatsapp'));
    const [row] = await twilio.database.admin.query<{ code: string; text: string }>({
      text: 'select code, text_body as text from greenroom.messages where recipient = $1',
      values: [phone],
    });
    expect(row?.code).toMatch(/^\d{6}$/);
    expect(row?.text).toContain(row?.code);
  });

  it('is rejected for WhatsApp with another provider', async () => {
    const phone = newPhone();
    const response = await send(vonage, await request(vonage, phone, 'whatsapp'));
    expect(response).toMatchObject({ status: 400, json: { error_code: 'validation_failed' } });
    expect(response.text).toContain('Invalid channel');
    expect(await channelsTo(phone)).toEqual([]);
  });
});

it.each(['user_confirmation_requested', 'user_recovery_requested'])(
  'writes the audit entry %s',
  async (action) => {
    const phone = newPhone();
    const channel = 'whatsapp';
    const again = { ...COMMON, ...TWILIO, GOTRUE_SMS_MAX_FREQUENCY: '1ms' };
    const quick = await startAuthServer(again, twilio);
    await send(quick, { method: 'POST', path: '/otp', body: { phone, channel } });
    await send(quick, { method: 'POST', path: '/otp', body: { phone, channel } });
    await quick.close();
    const rows = await twilio.database.admin.query<{ action: string }>({
      text: `select payload ->> 'action' as action from auth.audit_log_entries where payload ->> 'actor_username' = $1`,
      values: [phone],
    });
    expect(rows.map((row) => row.action)).toContain(action);
  },
);

it.each([
  ['Twilio', () => twilio, 'twilio'],
  ['Vonage', () => vonage, 'vonage'],
] as const)('/settings returns %s', async (_name, server, provider) => {
  const { json } = await send(server(), { path: '/settings' });
  expect(json.sms_provider).toBe(provider);
});
