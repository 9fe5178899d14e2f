/** Hooks for passwords and for codes of second factors. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { createFunction, functionEnv } from '../testing/hook-function.ts';
import { type HookServer, startHookServer } from '../testing/hook-server.ts';
import { newEmail, PASSWORD, type Person, refresh, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let hooks: HookServer;
let http: AuthServer;
let sql: AuthServer;
beforeAll(async () => {
  hooks = await startHookServer();
  http = await startAuthServer({
    ...hooks.env('PASSWORD_VERIFICATION_ATTEMPT'),
    ...hooks.env('MFA_VERIFICATION_ATTEMPT'),
  });
  const functions = {
    ...functionEnv('PASSWORD_VERIFICATION_ATTEMPT', 'password_attempt'),
    ...functionEnv('MFA_VERIFICATION_ATTEMPT', 'mfa_attempt'),
  };
  sql = await startAuthServer(functions, http);
  await http.database.admin.query({ text: 'create table public.failed (user_id uuid, kind text)' });
  await http.database.admin.query({ text: 'grant all on public.failed to supabase_auth_admin' });
  for (const name of ['password_attempt', 'mfa_attempt'])
    await createFunction(sql, name, countingFunction(3, name));
});
afterAll(async () => {
  await sql.close();
  await http.close();
  await hooks.close();
});
beforeEach(() => {
  hooks.calls.length = 0;
  hooks.reply = () => ({ body: { decision: 'continue' } });
});

/** A typical function of a project: rejects all attempts after this many wrong ones. */
function countingFunction(max: number, kind: string): string {
  return `declare id uuid := (event ->> 'user_id')::uuid; begin
    if not (event ->> 'valid')::boolean then insert into public.failed values (id, '${kind}'); end if;
    if (select count(*) from public.failed f where f.user_id = id and f.kind = '${kind}') >= ${max} then
      return '{"decision": "reject", "message": "Too many", "should_logout_user": true}';
    end if;
    return '{"decision": "continue"}';
  end`;
}

const signIn = (server: AuthServer, email: string, password = PASSWORD) =>
  send(server, { method: 'POST', path: '/token?grant_type=password', body: { email, password } });

async function sessionsOf({ id }: Person): Promise<number> {
  const text = 'select from auth.sessions where user_id = $1';
  return (await http.database.admin.query({ text, values: [id] })).length;
}

describe('a password', () => {
  it.each([
    [PASSWORD, true, 200],
    ['wrong', false, 400],
  ])('%s is reported to the hook', async (password, valid, status) => {
    const ann = await signUpPerson(http);
    expect((await signIn(http, ann.email, password)).status).toBe(status);
    expect(hooks.calls.map(({ body }) => body)).toEqual([
      {
        user_id: ann.id,
        valid,
        metadata: {
          uuid: expect.any(String),
          time: expect.any(String),
          name: 'password-verification',
          ip_address: '127.0.0.1',
        },
      },
    ]);
  });

  it.each([PASSWORD, 'wrong'])(
    '%s can be rejected by the hook, with and without a message',
    async (password) => {
      const ann = await signUpPerson(http);
      for (const [message, expected] of [
        ['Not now', 'Not now'],
        [undefined, 'Further password verification attempts will be rejected.'],
      ]) {
        hooks.reply = () => ({ body: { decision: 'reject', message } });
        const { status, json } = await signIn(http, ann.email, password);
        expect({ status, json }).toEqual({
          status: 400,
          json: { code: 400, error_code: 'invalid_credentials', msg: expected },
        });
      }
      expect(await sessionsOf(ann)).toBe(1);
      hooks.reply = () => ({ body: { decision: 'reject', should_logout_user: true } });
      await signIn(http, ann.email, password);
      expect(await sessionsOf(ann)).toBe(0);
    },
  );

  it.each<[string, object, number, number]>([
    ['without a decision', {}, 200, 400],
    ['with null', { decision: null, message: null }, 200, 400],
    ['with an unknown decision', { decision: 'rejected' }, 500, 500],
    ['with a number as decision', { decision: 1 }, 500, 500],
    ['with a message of the wrong type', { decision: 'reject', message: {} }, 500, 500],
    ['with an error', { error: { http_code: 429, message: 'Slow down' } }, 429, 429],
  ])('is decided by the output %s', async (_, body, right, wrong) => {
    const ann = await signUpPerson(http);
    hooks.reply = () => ({ body });
    expect((await signIn(http, ann.email)).status).toBe(right);
    expect((await signIn(http, ann.email, 'wrong')).status).toBe(wrong);
    expect(await sessionsOf(ann)).toBe(right === 200 ? 2 : 1);
  });

  it('of an unknown or banned user is not reported, and takes the same time', async () => {
    const ann = await signUpPerson(http);
    hooks.reply = () => ({ afterMs: 600, body: {} });
    const fresh = await startAuthServer(hooks.env('PASSWORD_VERIFICATION_ATTEMPT'), http);
    await signIn(fresh, ann.email);
    await http.database.admin.query({
      text: `update auth.users set banned_until = '2999-01-01' where id = $1`,
      values: [ann.id],
    });
    hooks.calls.length = 0;
    for (const email of [newEmail(), ann.email]) {
      const begun = performance.now();
      const { json } = await signIn(fresh, email, 'wrong');
      expect(json.error_code).toBe('invalid_credentials');
      expect(performance.now() - begun).toBeGreaterThan(590);
    }
    expect(hooks.calls).toEqual([]);
    await fresh.close();
  });

  it('is rejected by a function after three wrong ones, which ends the sessions', async () => {
    const ann = await signUpPerson(sql);
    for (const expected of ['Invalid login credentials', 'Invalid login credentials', 'Too many']) {
      expect((await signIn(sql, ann.email, 'wrong')).json.msg).toBe(expected);
    }
    expect((await signIn(sql, ann.email)).json.msg).toBe('Too many');
    expect(await sessionsOf(ann)).toBe(0);
    expect((await refresh(sql, ann.refreshToken)).status).toBe(400);
  });

  it('is accepted in many concurrent requests', async () => {
    const people = await Promise.all(Array.from({ length: 15 }, () => signUpPerson(sql)));
    const responses = await Promise.all(people.map(({ email }) => signIn(sql, email)));
    expect(responses.map(({ status }) => status)).toEqual(people.map(() => 200));
  });
});

describe('a code of a second factor', () => {
  async function enrolled(server: AuthServer) {
    const ann = await signUpPerson(server);
    const call = async (path: string, body: object) => {
      const response = await send(server, { method: 'POST', path, body, bearer: ann.accessToken });
      return response;
    };
    const { json: factor } = await call('/factors', { factor_type: 'totp' });
    const secret = Secret.fromBase32(factor.totp.secret);
    const validCode = () => new TOTP({ secret }).generate();
    const verify = async (isValid: boolean, code = isValid ? validCode() : '000000') => {
      const { json: challenge } = await call(`/factors/${factor.id}/challenge`, {});
      return call(`/factors/${factor.id}/verify`, { challenge_id: challenge.id, code });
    };
    return { ann, factorId: factor.id as string, verify, validCode };
  }

  it.each([
    [true, 200],
    [false, 422],
  ])('(right: %s) is reported to the hook', async (valid, status) => {
    const { ann, factorId, verify } = await enrolled(http);
    expect((await verify(valid)).status).toBe(status);
    expect(hooks.calls.map(({ body }) => body)).toEqual([
      {
        user_id: ann.id,
        factor_id: factorId,
        factor_type: 'totp',
        valid,
        metadata: expect.objectContaining({ name: 'mfa-verification' }),
      },
    ]);
  });

  it.each([
    [true, 'Not now', 'Not now'],
    [false, undefined, 'Further MFA verification attempts will be rejected.'],
  ])('(right: %s) can be rejected by the hook, which ends all sessions', async (valid, message, expected) => {
    const { ann, factorId, verify } = await enrolled(http);
    hooks.reply = () => ({ body: { decision: 'reject', message } });
    const { status, json } = await verify(valid);
    expect({ status, json }).toEqual({
      status: 403,
      json: { code: 403, error_code: 'mfa_verification_rejected', msg: expected },
    });
    expect(await sessionsOf(ann)).toBe(0);
    const text = 'select status from auth.mfa_factors where id = $1';
    const rows = await http.database.admin.query({ text, values: [factorId] });
    expect(rows).toEqual([{ status: 'unverified' }]);
  });

  it('fails with the hook and can be retried', async () => {
    const { ann, verify } = await enrolled(http);
    hooks.reply = () => ({ body: { error: { http_code: 503, message: 'Later' } } });
    expect(await verify(true)).toMatchObject({ status: 503, json: { msg: 'Later' } });
    hooks.reply = () => ({ status: 204 });
    expect((await verify(true)).status).toBe(200);
    expect(await sessionsOf(ann)).toBe(1);
  });

  it('is rejected by a function after three wrong ones', async () => {
    const { ann, verify } = await enrolled(sql);
    const responses = [await verify(false), await verify(false), await verify(false)];
    expect(responses.map(({ status }) => status)).toEqual([422, 422, 403]);
    expect(await sessionsOf(ann)).toBe(0);
  });

  it('is accepted once for concurrent requests', async () => {
    const { verify, validCode } = await enrolled(sql);
    const code = validCode();
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => verify(true, code)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });
});
