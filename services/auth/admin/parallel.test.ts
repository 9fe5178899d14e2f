/** Concurrent requests of admins and users: one wins, the others get an error, and no change is partial. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminCall, addFactor, addPasskey, entriesAbout, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer, waitForLock } from '../testing/auth-server.ts';
import { newEmail, newPhone, refresh, signInPerson, signUpPerson } from '../testing/people.ts';
import type { TestResponse } from '../testing/scenario.ts';

let server: AuthServer;
let call: AdminCall;
beforeAll(async () => {
  server = await startAuthServer();
  ({ call } = await serviceOf(server));
});
afterAll(() => server.close());

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const outcomes = (responses: TestResponse[]) =>
  responses.map(({ status, json }) => json?.error_code ?? status).sort();

describe('concurrent creation', () => {
  it.each([
    ['address', 'email_exists', () => ({ email: newEmail() })],
    ['number', 'phone_exists', () => ({ phone: newPhone() })],
  ])('accepts one account per %s', async (_, code, account) => {
    const body = account();
    const responses = await times(12, () => call('POST', '/admin/users', body));
    expect(outcomes(responses)).toEqual([200, ...Array(11).fill(code)]);
  });

  it('accepts one account per id', async () => {
    const id = randomUUID();
    const responses = await times(8, () => call('POST', '/admin/users', { id, email: newEmail() }));
    expect(outcomes(responses)).toEqual([200, ...Array(7).fill('user_already_exists')]);
    expect(await entriesAbout(server, 'user_signedup', id)).toHaveLength(1);
  });
});

describe('concurrent changes', () => {
  it('give an address to one user only', async () => {
    const people = await times(6, () => signUpPerson(server));
    const email = newEmail();
    const responses = await times(6, (index) =>
      call('PUT', `/admin/users/${people[index]?.id}`, { email, user_metadata: { tried: true } }),
    );
    expect(outcomes(responses)).toEqual([200, ...Array(5).fill('email_exists')]);
    const all = await times(6, (index) => call('GET', `/admin/users/${people[index]?.id}`));
    expect(all.filter(({ json }) => json.email === email)).toHaveLength(1);
    expect(all.filter(({ json }) => json.user_metadata.tried)).toHaveLength(1);
  });

  it('keep all metadata', async () => {
    const ann = await signUpPerson(server);
    await times(10, (index) =>
      call('PUT', `/admin/users/${ann.id}`, { app_metadata: { [`key${index}`]: index } }),
    );
    const { json } = await call('GET', `/admin/users/${ann.id}`);
    expect(Object.keys(json.app_metadata).filter((key) => key.startsWith('key'))).toHaveLength(10);
  });

  it('do not fail with 500 during a deletion', async () => {
    const ann = await signUpPerson(server);
    const responses = await Promise.all([
      ...Array.from({ length: 5 }, () =>
        call('PUT', `/admin/users/${ann.id}`, { email: newEmail(), password: 'a new horse' }),
      ),
      call('DELETE', `/admin/users/${ann.id}`),
    ]);
    for (const outcome of outcomes(responses)) expect([200, 'user_not_found']).toContain(outcome);
    expect(responses.at(-1)?.status).toBe(200);
  });
});

describe('concurrent deletion', () => {
  it('deletes once, with one audit entry', async () => {
    const ann = await signUpPerson(server);
    const responses = await times(6, () => call('DELETE', `/admin/users/${ann.id}`));
    expect(outcomes(responses)).toEqual([200, ...Array(5).fill('user_not_found')]);
    expect(await entriesAbout(server, 'user_deleted', ann.id)).toHaveLength(1);
  });

  it('soft-deletes with the same result as once', async () => {
    const ann = await signUpPerson(server);
    const responses = await times(6, () =>
      call('DELETE', `/admin/users/${ann.id}`, { should_soft_delete: true }),
    );
    expect(outcomes(responses)).toEqual(Array(6).fill(200));
    const before = (await call('GET', `/admin/users/${ann.id}`)).json;
    await call('DELETE', `/admin/users/${ann.id}`, { should_soft_delete: true });
    const after = (await call('GET', `/admin/users/${ann.id}`)).json;
    expect(after).toEqual(before);
    expect(after.identities[0].id).toMatch(/^[0-9a-f]{64}$/);
  });

  it('waits for a change of a session without a lock on the user, which prevents a deadlock', async () => {
    const ann = await signUpPerson(server);
    let deletion: Promise<TestResponse> | undefined;
    await server.database.auth.transaction(async (tx) => {
      // Like a refresh: locks the session first, then its user.
      await tx.query({ text: 'select from auth.sessions where id = $1 for update', values: [ann.sessionId] });
      deletion = call('DELETE', `/admin/users/${ann.id}`);
      await waitForLock(server);
      await tx.query({ text: 'update auth.users set updated_at = now() where id = $1', values: [ann.id] });
    });
    expect((await deletion)?.status).toBe(200);
  });

  it('succeeds during refreshes of the user', async () => {
    const ann = await signUpPerson(server);
    const others = await times(4, () => signInPerson(server, ann.email));
    const deletion = call('DELETE', `/admin/users/${ann.id}`);
    const responses = await times(4, async (index) => refresh(server, others[index]?.refreshToken ?? ''));
    expect((await deletion).status).toBe(200);
    for (const { status } of responses) expect(status).toBeLessThan(500);
    const rows = await server.database.admin.query({
      text: 'select from auth.sessions where user_id = $1',
      values: [ann.id],
    });
    expect(rows).toEqual([]);
  });

  it.each([
    ['factors', addFactor, 'factor_deleted', 200, 'mfa_factor_not_found'],
    ['passkeys', addPasskey, 'passkey_deleted', 204, 'validation_failed'],
    [
      'sessions',
      async (_: AuthServer, id: string) => {
        const [row] = await server.database.admin.query<{ id: string }>({
          text: 'select id from auth.sessions where user_id = $1',
          values: [id],
        });
        return row?.id ?? '';
      },
      'logout',
      204,
      'session_not_found',
    ],
  ])('deletes one of the %s once', async (kind, create, action, success, code) => {
    const ann = await signUpPerson(server);
    const id = await create(server, ann.id);
    const responses = await times(5, () => call('DELETE', `/admin/users/${ann.id}/${kind}/${id}`));
    expect(outcomes(responses)).toEqual([success, ...Array(4).fill(code)]);
    expect(await entriesAbout(server, action, ann.id)).toHaveLength(1);
  });
});
