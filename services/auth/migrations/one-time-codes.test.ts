/** Codes and links that were sent before migration 0005, after it. */
import { migrate } from '@greenroom/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authService } from '../index.ts';
import { hashCode } from '../one-time/code.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { newEmail, PASSWORD } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

const VERSION = '0005_one_time_codes';
const CODE = '123456';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer({
    GOTRUE_MAILER_AUTOCONFIRM: 'false',
    GOTRUE_RATE_LIMIT_EMAIL_SENT: '10000',
  });
});
afterAll(() => server.close());

const execute = (text: string, ...values: unknown[]) => server.database.admin.query({ text, values });
const verify = (body: object) => send(server, { method: 'POST', path: '/verify', body });

/** Takes the migration back, and gives a sign-up the one secret that it had before. */
async function asBefore(email: string, prefix: string): Promise<string> {
  await send(server, { method: 'POST', path: '/signup', body: { email, password: PASSWORD } });
  await execute(
    'alter table auth.one_time_tokens drop code_hash, drop failures, drop day_failures, drop day_began_at',
  );
  await execute('alter table auth.mfa_challenges drop failures');
  await execute('alter table auth.mfa_factors drop failures, drop failed_at');
  await execute(`delete from greenroom.migrations where service = 'auth' and version = $1`, VERSION);
  const token = prefix + hashCode(email, CODE);
  await execute('update auth.one_time_tokens set token_hash = $2 where relates_to = $1', email, token);
  await execute('update auth.users set confirmation_token = $2 where email = $1', email, token);
  return token;
}

it.each([
  ['', 'a link that ends in a session'],
  ['pkce_', 'a link under PKCE'],
])('keeps an earlier code valid and invalidates its link: prefix "%s", %s', async (prefix) => {
  const email = newEmail();
  const token = await asBefore(email, prefix);
  expect(await migrate(server.database.url, [authService.migrations])).toEqual([`auth/${VERSION}`]);
  for (const guess of [token, hashCode(email, CODE)]) {
    const byLink = await verify({ type: 'signup', token_hash: guess });
    expect([byLink.status, byLink.json.error_code]).toEqual([403, 'otp_expired']);
  }
  expect(await verify({ type: 'signup', email, token: CODE })).toMatchObject({
    status: 200,
    json: { user: { email } },
  });
});
