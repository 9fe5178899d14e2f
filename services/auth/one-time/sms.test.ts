import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { messagesTo } from '../testing/mailbox.ts';
import { newPhone, PASSWORD } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let keeping: AuthServer;
let refusing: AuthServer;
beforeAll(async () => {
  keeping = await startAuthServer({ GOTRUE_SMS_AUTOCONFIRM: 'false' });
  const env = { GOTRUE_SMS_AUTOCONFIRM: 'false', GREENROOM_SMS_MAILBOX: 'false' };
  refusing = await startAuthServer({ ...env, GOTRUE_SMS_TEST_OTP: '15550100=123456' }, keeping);
});
afterAll(async () => {
  await refusing?.close();
  await keeping?.close();
});

const requestCode = (server: AuthServer, path: string, body: object) =>
  send(server, { method: 'POST', path, body });

describe('SMS without a provider', () => {
  it('are kept in the mailbox', async () => {
    const phone = newPhone();
    expect((await requestCode(keeping, '/otp', { phone })).status).toBe(200);
    expect(await messagesTo(keeping, phone)).toHaveLength(1);
  });

  it.each([
    ['/otp', {}],
    ['/signup', { password: PASSWORD }],
  ])('are rejected if the mailbox is disabled: %s %j', async (path, more) => {
    const known = newPhone();
    await requestCode(keeping, '/signup', { phone: known, password: PASSWORD });
    for (const phone of [newPhone(), known]) {
      const { status, json } = await requestCode(refusing, path, { phone, ...more });
      expect([status, json.error_code]).toEqual([422, 'sms_send_failed']);
    }
  });

  it('are not needed for test numbers', async () => {
    expect((await requestCode(refusing, '/otp', { phone: '15550100' })).status).toBe(200);
  });
});
