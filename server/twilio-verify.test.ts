/** Twilio Verify as provider of SMS: it creates and checks the codes. With the official client and a stand-in server. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OfficialInstance, startOfficialInstance } from './testing/official-instance.ts';
import { startTwilioVerify, type TwilioVerify } from './testing/twilio-verify.ts';

const TEST_PHONE = '15559990000';

let twilio: TwilioVerify;
let instance: OfficialInstance;

beforeAll(async () => {
  twilio = await startTwilioVerify();
  instance = await startOfficialInstance({
    GOTRUE_SMS_PROVIDER: 'twilio_verify',
    GOTRUE_SMS_TWILIO_VERIFY_ACCOUNT_SID: 'AC1',
    GOTRUE_SMS_TWILIO_VERIFY_AUTH_TOKEN: 'secret',
    GOTRUE_SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID: 'VA1',
    GREENROOM_SMS_PROVIDER_URL: twilio.url,
    GOTRUE_SMS_AUTOCONFIRM: 'false',
    GOTRUE_SMS_MAX_FREQUENCY: '1ms',
    GOTRUE_MFA_PHONE_MAX_FREQUENCY: '1ms',
    GOTRUE_SMS_TEST_OTP: `${TEST_PHONE}=999999`,
    GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
    GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
    GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'true',
  });
});
afterAll(async () => {
  await instance?.close();
  await twilio?.close();
});
beforeEach(() => {
  twilio.requests.length = 0;
  twilio.failsWith = undefined;
});

const checks = () => twilio.requests.filter(({ path }) => path.endsWith('/VerificationCheck'));
const WRONG = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' };

async function requestCode(phone: string, channel: 'sms' | 'whatsapp' = 'sms') {
  const client = instance.newClient();
  const { error } = await client.auth.signInWithOtp({ phone, options: { channel } });
  expect(error).toBeNull();
  const verify = (token: string, type: 'sms' | 'phone_change' = 'sms') =>
    client.auth.verifyOtp({ phone, token, type });
  return { client, verify };
}

describe('a sign-in by phone', () => {
  it.each(['sms', 'whatsapp'] as const)(
    'uses the code that Twilio sends and approves: %s',
    async (channel) => {
      const { phone } = instance.newPerson();
      const { verify } = await requestCode(phone, channel);
      expect(await twilio.sentTo(phone)).toEqual({
        path: '/v2/Services/VA1/Verifications',
        authorization: `Basic ${Buffer.from('AC1:secret').toString('base64')}`,
        form: { To: `+${phone}`, Channel: channel },
      });
      const { data, error } = await verify(twilio.code);
      expect(error).toBeNull();
      expect(data.user?.phone).toBe(phone);
      expect(checks()).toMatchObject([{ form: { To: `+${phone}`, Code: twilio.code } }]);
    },
  );

  it('rejects wrong codes, and a second use of the right one', async () => {
    const { phone } = instance.newPerson();
    const { verify } = await requestCode(phone);
    await twilio.sentTo(phone);
    expect((await verify('111111')).error).toMatchObject(WRONG);
    expect((await verify('1')).error).toMatchObject(WRONG);
    expect((await verify(twilio.code)).error).toBeNull();
    expect((await verify(twilio.code)).error).toMatchObject(WRONG);
  });

  it('stores no code of its own in the message', async () => {
    const { phone } = instance.newPerson();
    await requestCode(phone);
    await twilio.sentTo(phone);
    expect(await instance.codeTo(phone)).toBe('');
  });

  it('responds alike to numbers without an account', async () => {
    const { phone } = instance.newPerson();
    const { error } = await instance.newClient().auth.verifyOtp({ phone, token: twilio.code, type: 'sms' });
    expect(error).toMatchObject(WRONG);
    expect(checks()).toHaveLength(1);
  });

  it('rejects codes that Twilio approves for an account that has requested none', async () => {
    const { phone } = instance.newPerson();
    const { verify } = await requestCode(phone);
    await twilio.sentTo(phone);
    await verify(twilio.code);
    await fetch(`${twilio.url}/v2/Services/VA1/Verifications`, {
      method: 'POST',
      body: new URLSearchParams({ To: `+${phone}`, Channel: 'sms' }),
    });
    expect((await verify(twilio.code)).error).toMatchObject(WRONG);
  });

  it('rejects codes while Twilio is not available', async () => {
    const { phone } = instance.newPerson();
    const { verify } = await requestCode(phone);
    await twilio.sentTo(phone);
    twilio.failsWith = 401;
    expect((await verify(twilio.code)).error).toMatchObject(WRONG);
    twilio.failsWith = undefined;
    expect((await verify(twilio.code)).error).toBeNull();
  });

  it('needs no SMS for a number with a fixed code', async () => {
    const { verify } = await requestCode(TEST_PHONE);
    expect((await verify('999999')).error).toBeNull();
    expect(twilio.requests).toEqual([]);
  });
});

describe('a change of number', () => {
  it('is confirmed by the code of the new number', async () => {
    const { client } = await instance.signedIn();
    const { phone } = instance.newPerson();
    expect((await client.auth.updateUser({ phone })).error).toBeNull();
    await twilio.sentTo(phone);
    const verify = (token: string) => client.auth.verifyOtp({ phone, token, type: 'phone_change' });
    expect((await verify('111111')).error).toMatchObject(WRONG);
    const { data, error } = await verify(twilio.code);
    expect([error, data.user?.phone]).toEqual([null, phone]);
  });

  it('is not confirmed for any account if several have requested the same number', async () => {
    const { phone } = instance.newPerson();
    const [ann, eve] = [await instance.signedIn(), await instance.signedIn()];
    for (const { client } of [ann, eve]) {
      expect((await client.auth.updateUser({ phone })).error).toBeNull();
    }
    await twilio.sentTo(phone);
    const { error } = await ann.client.auth.verifyOtp({ phone, token: twilio.code, type: 'phone_change' });
    expect(error).toMatchObject(WRONG);
  });
});

describe('a phone factor', () => {
  it('is verified by the code of its number', async () => {
    const { client } = await instance.signedIn();
    const { phone } = instance.newPerson();
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'phone', phone: `+${phone}` });
    const factorId = factor?.id ?? '';
    const { data: challenge } = await client.auth.mfa.challenge({ factorId, channel: 'sms' });
    await twilio.sentTo(phone);
    const verify = (code: string) =>
      client.auth.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code });
    expect((await verify('111111')).error).toMatchObject(WRONG);
    expect((await verify(twilio.code)).error).toBeNull();
    const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(data?.currentLevel).toBe('aal2');
  });
});

describe('a new password in an old session of an account without an address', () => {
  it('needs the code of a reauthentication', async () => {
    const { phone } = instance.newPerson();
    const { client, verify } = await requestCode(phone);
    await twilio.sentTo(phone);
    const { data } = await verify(twilio.code);
    await instance.database.query({
      text: `update auth.sessions set created_at = now() - interval '2 days' where user_id = $1`,
      values: [data.user?.id],
    });
    twilio.requests.length = 0;
    expect((await client.auth.reauthenticate()).error).toBeNull();
    await twilio.sentTo(phone);
    const update = (nonce: string) => client.auth.updateUser({ password: 'another horse', nonce });
    expect((await update('111111')).error).toMatchObject(WRONG);
    expect((await update(twilio.code)).error).toBeNull();
  });
});

it('/settings names the provider', async () => {
  const response = await instance.fetch(`${instance.greenroom.url}/auth/v1/settings`, {
    headers: { apikey: instance.greenroom.backend?.apiKeys.anon ?? '' },
  });
  expect(await response.json()).toMatchObject({ sms_provider: 'twilio_verify' });
});
