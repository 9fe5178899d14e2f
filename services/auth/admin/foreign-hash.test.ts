/** Accounts that were imported from other systems with their password hashes. */
import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AdminCall, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { newEmail } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

// From GoTrue's own tests.
const FIREBASE =
  '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw==$C0sHCg9ek77hsg==$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw==';
const PASSWORD = 'mytestpassword';

let server: AuthServer;
let call: AdminCall;
beforeAll(async () => {
  server = await startAuthServer({}, undefined, { hasProductionHashing: true });
  ({ call } = await serviceOf(server));
});
afterAll(() => server.close());

const signIn = (email: string, password: string) =>
  send(server, { method: 'POST', path: '/token?grant_type=password', body: { email, password } });
async function storedHash(email: string): Promise<string> {
  const [row] = await server.database.admin.query<{ encrypted_password: string }>({
    text: 'select encrypted_password from auth.users where email = $1',
    values: [email],
  });
  return row?.encrypted_password ?? '';
}

const HASHES: [string, () => string | Promise<string>][] = [
  ['bcrypt of few rounds', () => bcrypt(PASSWORD, { cost: 4 })],
  ['argon2', () => argon2(PASSWORD)],
  ['Firebase scrypt', () => FIREBASE],
];

it.each(HASHES)("%s works and is replaced by the service's own hash", async (_, make) => {
  const [email, password_hash] = [newEmail(), await make()];
  const created = await call('POST', '/admin/users', { email, password_hash, email_confirm: true });
  expect(created.status, created.text).toBe(200);
  expect(created.text).not.toContain(password_hash);
  expect((await signIn(email, 'wrong')).json.error_code).toBe('invalid_credentials');
  expect(await storedHash(email)).toBe(password_hash);
  expect((await signIn(email, PASSWORD)).status).toBe(200);
  expect(await storedHash(email)).toMatch(/^\$2a\$10\$/);
  expect((await signIn(email, PASSWORD)).status).toBe(200);
  expect((await signIn(email, 'wrong')).json.error_code).toBe('invalid_credentials');
});

it('concurrent first sign-ins all succeed', async () => {
  const email = newEmail();
  await call('POST', '/admin/users', { email, password_hash: await argon2(PASSWORD), email_confirm: true });
  const responses = await Promise.all(Array.from({ length: 6 }, () => signIn(email, PASSWORD)));
  expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
});

it('setting the hash of an existing account ends its sessions', async () => {
  const email = newEmail();
  const { json } = await call('POST', '/admin/users', {
    email,
    password: 'something else',
    email_confirm: true,
  });
  const before = (await signIn(email, 'something else')).json;
  expect((await call('PUT', `/admin/users/${json.id}`, { password_hash: FIREBASE })).status).toBe(200);
  expect((await signIn(email, PASSWORD)).status).toBe(200);
  const user = await send(server, { path: '/user', bearer: before.access_token });
  expect(user.json.error_code).toBe('session_not_found');
});

it("the service's own hash is kept", async () => {
  const email = newEmail();
  await call('POST', '/admin/users', { email, password: PASSWORD, email_confirm: true });
  const stored = await storedHash(email);
  expect((await signIn(email, PASSWORD)).status).toBe(200);
  expect(await storedHash(email)).toBe(stored);
});
