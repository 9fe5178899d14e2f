import { randomUUID } from 'node:crypto';
import { httpTransport } from '../hooks/http.ts';
import type { HookName, HttpTarget } from '../settings/hooks.ts';
import { type CheckResult, reasonOf } from './check-result.ts';

/** Reserved for examples (RFC 2606), so that a hook that sends mails reaches no mailbox. */
const ADDRESS = 'greenroom-check@example.invalid';

/** Calls an endpoint with a signed payload of a user that does not exist. */
export async function checkHook(name: HookName, target: HttpTarget): Promise<CheckResult> {
  try {
    await httpTransport(target).send(payloadOf(name));
    return { isOk: true, message: 'The endpoint accepted a signed request.' };
  } catch (error) {
    return { isOk: false, message: `The endpoint did not accept a signed request: ${reasonOf(error)}` };
  }
}

function payloadOf(name: HookName): string {
  const id = randomUUID();
  const time = new Date().toISOString();
  const user = {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email: ADDRESS,
    phone: '',
    created_at: time,
  };
  return JSON.stringify({
    metadata: {
      uuid: randomUUID(),
      time,
      name: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      ip_address: '127.0.0.1',
    },
    user,
    user_id: id,
    factor_id: randomUUID(),
    factor_type: 'totp',
    valid: true,
    authentication_method: 'password',
    claims: { sub: id, aud: 'authenticated', role: 'authenticated', email: ADDRESS, aal: 'aal1' },
    sms: { otp: '000000', phone: '' },
    email_data: {
      token: '000000',
      token_hash: '',
      redirect_to: '',
      email_action_type: 'magiclink',
      site_url: '',
    },
  });
}
