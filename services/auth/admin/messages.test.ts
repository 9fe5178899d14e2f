/** The mailbox for admins: access, lists and search, single messages, and deletion. */
import { randomUUID } from 'node:crypto';
import { createOutbox, type Message } from '@greenroom/messages';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdminCall, addFactor, elevateSession, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { refresh, signInPerson, signUpPerson } from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

let server: AuthServer;
let call: AdminCall;
beforeAll(async () => {
  server = await startAuthServer({ SITE_URL: 'https://room.example' });
  ({ call } = await serviceOf(server));
});
afterAll(() => server.close());
beforeEach(() => server.database.admin.query({ text: 'delete from greenroom.messages' }));

const MAIL = { channel: 'mail', kind: 'recovery', subject: 'Hello', text: 'Code 123456' } as const;

const put = (message: Partial<Message> & { recipient: string }, waits = false) =>
  server.database.auth.query(
    createOutbox({ delivers: { mail: waits, sms: waits } }).put({ ...MAIL, ...message }),
  );
const recipients = async (query = '') =>
  (await call('GET', `/admin/messages${query}`)).json.map((one: Message) => one.recipient);
const idOf = async (recipient: string): Promise<string> =>
  (await call('GET', `/admin/messages?q=${encodeURIComponent(recipient)}`)).json[0].id;

const CALLS: [Call['method'], string][] = [
  ['GET', '/admin/messages'],
  ['DELETE', '/admin/messages'],
  ['GET', `/admin/messages/${randomUUID()}`],
  ['DELETE', `/admin/messages/${randomUUID()}`],
  ['POST', '/admin/messages/retry'],
  ['POST', `/admin/messages/${randomUUID()}/retry`],
  ['GET', '/admin/messages/x'],
  ['GET', '/admin/messages?page=x'],
];

/** An admin with a session; `aal2` after the use of a second factor. */
async function signInAdmin(level: 'aal1' | 'aal2'): Promise<string> {
  const { id, email } = await signUpPerson(server);
  await call('PUT', `/admin/users/${id}`, { role: 'service_role' });
  const person = await signInPerson(server, email);
  if (level === 'aal1') return person.accessToken;
  await elevateSession(server, person.sessionId, await addFactor(server, id));
  return (await refresh(server, person.refreshToken)).json.access_token;
}

describe('only admins with two factors', () => {
  it.each(CALLS)('may %s %s', async (method = 'GET', path) => {
    await put({ recipient: 'ann@example.org' });
    const as = async (bearer?: string) => {
      const { status, json } = await send(server, { method, path, ...(bearer && { bearer }) });
      return [status, json.error_code];
    };
    const anon = await server.keys.sign({ role: 'anon', exp: Math.floor(Date.now() / 1000) + 60 });
    expect(await as()).toEqual([401, 'no_authorization']);
    expect(await as('x')).toEqual([403, 'bad_jwt']);
    expect(await as(anon)).toEqual([403, 'not_admin']);
    expect(await as((await signUpPerson(server)).accessToken)).toEqual([403, 'not_admin']);
    expect(await as(await signInAdmin('aal1'))).toEqual([403, 'insufficient_aal']);
    expect(await recipients()).toEqual(['ann@example.org']);
  });

  it('sees messages', async () => {
    await put({ recipient: 'ann@example.org' });
    const { status, json } = await send(server, {
      path: '/admin/messages',
      bearer: await signInAdmin('aal2'),
    });
    expect([status, json.length]).toEqual([200, 1]);
  });

  it('excludes the database login of the service', async () => {
    for (const text of ['select * from greenroom.messages', 'delete from greenroom.messages']) {
      await expect(server.database.auth.query({ text })).rejects.toThrow('permission denied');
    }
  });
});

describe('GET /admin/messages', () => {
  it('returns metadata without contents', async () => {
    await put({ recipient: 'ann@example.org', html: '<b>Code 123456</b>', link: 'https://room.example/x' });
    const { status, json, headers } = await call('GET', '/admin/messages');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(json).toEqual([
      {
        id: expect.any(String),
        channel: 'mail',
        kind: 'recovery',
        recipient: 'ann@example.org',
        subject: 'Hello',
        status: 'kept',
        attempts: 0,
        created_at: expect.any(String),
        sent_at: null,
        last_error: null,
        next_attempt_at: null,
      },
    ]);
  });

  it('returns when a message was sent or why it failed', async () => {
    await put({ recipient: 'sent@example.org' }, true);
    await put({ recipient: 'failed@example.org' }, true);
    await server.database.admin.query({
      text: `update greenroom.messages set updated_at = '2030-01-01T00:00:00Z', attempts = 2,
          state = split_part(recipient, '@', 1),
          last_error = case when recipient like 'failed%' then '550 no such user' end`,
    });
    const { json } = await call('GET', '/admin/messages');
    expect(json).toMatchObject([
      { status: 'failed', attempts: 2, sent_at: null, last_error: '550 no such user' },
      { status: 'sent', attempts: 2, sent_at: '2030-01-01T00:00:00.000Z', last_error: null },
    ]);
  });

  it.each([
    ['', ['100%@x_y.org', '15550100', 'Ann@example.org'], 3, ['1']],
    ['?per_page=2', ['100%@x_y.org', '15550100'], 3, ['2', '2']],
    ['?per_page=2&page=2', ['Ann@example.org'], 3, ['2']],
    ['?per_page=2&page=9', [], 3, ['2']],
    ['?per_page=100000', ['100%@x_y.org', '15550100', 'Ann@example.org'], 3, ['1']],
    ['?channel=sms', ['15550100'], 1, ['1']],
    ['?channel=whatsapp', [], 0, ['0']],
    ['?channel=&q=', ['100%@x_y.org', '15550100', 'Ann@example.org'], 3, ['1']],
    ['?q=ANN%40', ['Ann@example.org'], 1, ['1']],
    ['?q=hello&channel=mail', ['100%@x_y.org', 'Ann@example.org'], 2, ['1']],
    ['?q=%25', ['100%@x_y.org'], 1, ['1']],
    ['?q=_', ['100%@x_y.org', '15550100'], 2, ['1']],
    ['?q=x_y', ['100%@x_y.org'], 1, ['1']],
    ['?q=0%25%40', ['100%@x_y.org'], 1, ['1']],
    ['?q=%5C', [], 0, ['0']],
    ['?q=123456', [], 0, ['0']],
    ['?q=%27%20or%20true%20--', [], 0, ['0']],
  ])('returns the matching messages for "%s"', async (query, found, total, pages) => {
    await put({ recipient: 'Ann@example.org' });
    await put({ recipient: '15550100', channel: 'sms', kind: 'sms_otp', subject: undefined } as never);
    await put({ recipient: '100%@x_y.org' });
    const { json, headers } = await call('GET', `/admin/messages${query}`);
    expect(json.map((one: Message) => one.recipient)).toEqual(found);
    expect(headers.get('x-total-count')).toBe(String(total));
    const links = [...(headers.get('link') ?? '').matchAll(/\?page=(\d+)/g)].map(([, page]) => page);
    expect(links).toEqual(pages);
  });

  it('keeps the search in its links', async () => {
    for (const name of ['a', 'b']) await put({ recipient: `${name}@example.org` });
    const { headers } = await call('GET', '/admin/messages?q=%40ex&channel=mail&per_page=1&apikey=secret');
    const path = '/auth/v1/admin/messages?page=2&per_page=1&channel=mail&q=%40ex';
    expect(headers.get('link')).toBe(`<${path}>; rel="next", <${path}>; rel="last"`);
  });

  it.each([
    '?channel=pigeon',
    '?page=x',
    '?page=-1',
    '?per_page=0',
    '?page=999999999999999&per_page=999999999999999',
    '?q=%00',
    `?q=${'x'.repeat(256)}`,
  ])('rejects %s', async (query) => {
    const { status, json } = await call('GET', `/admin/messages${query}`);
    expect([status, json.error_code]).toEqual([400, 'validation_failed']);
  });
});

describe('GET /admin/messages/:id', () => {
  it('returns a whole message', async () => {
    await put({ recipient: 'ann@example.org', html: '<b>Hi</b>', link: 'https://room.example/x' });
    const { status, json, headers } = await call('GET', `/admin/messages/${await idOf('ann@')}`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(json).toMatchObject({
      recipient: 'ann@example.org',
      status: 'kept',
      text: 'Code 123456',
      html: '<b>Hi</b>',
      link: 'https://room.example/x',
    });
    expect(json).not.toHaveProperty('text_body');
  });

  it('contains a mail that was just requested', async () => {
    const { email } = await signUpPerson(server);
    await send(server, { method: 'POST', path: '/recover', body: { email } });
    const { json } = await call('GET', `/admin/messages/${await idOf(email)}`);
    expect(json).toMatchObject({ kind: 'recovery', channel: 'mail', status: 'kept' });
    expect(json.html).toContain('<h1');
    expect(new URL(json.link).searchParams.get('type')).toBe('recovery');
  });
});

describe('an id', () => {
  it.each([
    ['x', 'validation_failed'],
    ['%00', 'validation_failed'],
    ["'%20or%20true%20--", 'validation_failed'],
    ['9'.repeat(500), 'validation_failed'],
    [randomUUID(), 'message_not_found'],
  ])('rejects %s', async (id, code) => {
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, json } = await call(method, `/admin/messages/${id}`);
      expect([status, json.error_code]).toEqual([404, code]);
    }
  });
});

describe('deleting', () => {
  it.each([false, true])('deletes one message, queued: %s', async (waits) => {
    await put({ recipient: 'ann@example.org' }, waits);
    await put({ recipient: 'bob@example.org' }, waits);
    const id = await idOf('ann@');
    expect((await call('DELETE', `/admin/messages/${id.toUpperCase()}`)).status).toBe(204);
    expect(await recipients()).toEqual(['bob@example.org']);
    expect((await call('DELETE', `/admin/messages/${id}`)).json.error_code).toBe('message_not_found');
  });

  it('deletes all but queued messages', async () => {
    for (const state of ['kept', 'sent', 'failed', 'queued']) {
      await put({ recipient: `${state}@example.org` });
      await server.database.admin.query({
        text: 'update greenroom.messages set state = $1 where recipient = $2',
        values: [state, `${state}@example.org`],
      });
    }
    const { status, text } = await call('DELETE', '/admin/messages');
    expect([status, text]).toEqual([204, '']);
    expect(await recipients()).toEqual(['queued@example.org']);
    expect((await call('DELETE', '/admin/messages')).status).toBe(204);
  });

  it.each(['POST', 'PUT', 'PATCH'] as const)('is not possible with %s', async (method) => {
    expect((await call(method, '/admin/messages', {})).status).toBe(405);
  });
});

describe('deliveries', () => {
  const dueOf = async () => {
    const rows = await server.database.admin.query<{ recipient: string; is_due: boolean }>({
      text: 'select recipient, next_attempt_at <= now() as is_due from greenroom.messages order by recipient',
    });
    return rows.map(({ recipient, is_due }) => [recipient, is_due]);
  };
  const postpone = () =>
    server.database.admin.query({
      text: `update greenroom.messages set attempts = 2, last_error = 'refused', next_attempt_at = now() + interval '1 hour'`,
    });

  it('lists messages of a state with their next attempt', async () => {
    await put({ recipient: 'kept@example.org' });
    await put({ recipient: 'queued@example.org' }, true);
    await postpone();
    const { json } = await call('GET', '/admin/messages?status=queued&status=failed');
    expect(json).toEqual([
      expect.objectContaining({
        recipient: 'queued@example.org',
        attempts: 2,
        last_error: 'refused',
        next_attempt_at: expect.stringMatching(/^\d{4}-/),
      }),
    ]);
    expect((await call('GET', '/admin/messages?status=kept')).json[0].next_attempt_at).toBeNull();
    expect((await call('GET', '/admin/messages?status=lost')).status).toBe(400);
  });

  it('makes one queued message due now, and no other', async () => {
    await put({ recipient: 'ann@example.org' }, true);
    await put({ recipient: 'bob@example.org' }, true);
    await postpone();
    const id = await idOf('ann@example.org');
    expect((await call('POST', `/admin/messages/${id}/retry`)).status).toBe(204);
    expect(await dueOf()).toEqual([
      ['ann@example.org', true],
      ['bob@example.org', false],
    ]);
  });

  it('makes all waiting messages due now', async () => {
    await put({ recipient: 'ann@example.org' }, true);
    await put({ recipient: 'bob@example.org' }, true);
    await postpone();
    expect((await call('POST', '/admin/messages/retry')).json).toEqual({ count: 2 });
    expect((await dueOf()).every(([, isDue]) => isDue)).toBe(true);
  });

  it('responds with 404 to a retry of a message that is not queued', async () => {
    await put({ recipient: 'kept@example.org' });
    const { status, json } = await call('POST', `/admin/messages/${await idOf('kept@example.org')}/retry`);
    expect([status, json.error_code]).toEqual([404, 'message_not_found']);
  });
});
