/** Mails of the project by `greenroom.send_mail`, with a real database and a real mail server. */
import { createTestDatabase, openClient, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeProjectMailSettings } from './project-mails.ts';
import { startMailServer } from './testing/mail-server.ts';
import { type OutboxFixture, openOutboxFixture } from './testing/outbox.ts';

const SEND = 'select greenroom.send_mail($1, $2, $3, $4) as id';
const MAIL = ['ada@example.org', 'Hello Ada', 'Welcome.', null] as const;

let database: TestDatabase;
let outbox: OutboxFixture;
let client: Awaited<ReturnType<typeof openClient>>;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await openClient(database.ownerUrl);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(async () => {
  outbox = await openOutboxFixture(database);
});
afterEach(() => outbox.close());

const configure = (isDelivered: boolean, maxPerHour = 1000, appUrl = 'https://example.org/app') =>
  database.admin.query(storeProjectMailSettings({ isDelivered, maxPerHour, appUrl }));

describe('greenroom.send_mail', () => {
  it('adds a mail in the transaction of its caller, to the mailbox without a mail server', async () => {
    await configure(false);
    await client.query('begin');
    await client.query(SEND, [...MAIL]);
    await client.query('rollback');
    expect(await outbox.rows()).toEqual([]);
    const { rows } = await client.query(SEND, ['ada@example.org', 'Grüße', 'Text', '<p>Text</p>']);
    expect(await outbox.rows()).toMatchObject([
      {
        ...rows[0],
        channel: 'mail',
        kind: 'project',
        state: 'kept',
        subject: 'Grüße',
        html_body: '<p>Text</p>',
      },
    ]);
  });

  it('sends the mail if a mail server is configured', async () => {
    const server = await startMailServer();
    await configure(true);
    await client.query(SEND, [...MAIL]);
    await outbox.deliverMail(server.port).run();
    expect(server.arrived).toMatchObject([{ from: 'room@example.org', to: ['ada@example.org'] }]);
    expect(server.arrived[0]?.source).toContain('Subject: Hello Ada');
    expect(await outbox.rows()).toMatchObject([{ state: 'sent', text_body: '' }]);
    await outbox.close();
    await server.stop();
  });

  it.each<[string, readonly (string | null)[], RegExp]>([
    ['a list of addresses', ['a@example.org,b@example.org', ...MAIL.slice(1)], /recipient is not one email/],
    ['a name', ['Ada <ada@example.org>', ...MAIL.slice(1)], /recipient is not one email/],
    ['a line break in the address', ['a@example.org\nBcc: b@example.org', ...MAIL.slice(1)], /recipient/],
    ['a line break after the address', ['a@example.org\n', ...MAIL.slice(1)], /recipient/],
    ['a local name', ['ada@localhost', ...MAIL.slice(1)], /recipient/],
    ['a quoted address', ['"a b"@example.org', ...MAIL.slice(1)], /recipient/],
    ['an address with other letters', ['ädä@example.org', ...MAIL.slice(1)], /recipient/],
    ['a long address', [`${'a'.repeat(250)}@example.org`, ...MAIL.slice(1)], /recipient/],
    ['no address', [null, ...MAIL.slice(1)], /recipient/],
    [
      'a header in the subject',
      [MAIL[0], 'Hi\r\nBcc: b@example.org', 'x', null],
      /subject must have 1 to 255/,
    ],
    ['a separator of lines in the subject', [MAIL[0], 'Hi\u2028x', 'x', null], /subject/],
    ['a long subject', [MAIL[0], 'x'.repeat(256), 'x', null], /subject/],
    ['no subject', [MAIL[0], null, 'x', null], /subject/],
    ['no text', [MAIL[0], 'x', '', null], /text_body must have 1 to 102400 bytes/],
    ['a large text', [MAIL[0], 'x', 'ü'.repeat(60_000), null], /text_body/],
    [
      'a large HTML part',
      [MAIL[0], 'x', 'x', 'x'.repeat(600_000)],
      /html_body must have at most 512000 bytes/,
    ],
  ])('refuses a mail with %s', async (_, values, message) => {
    await expect(client.query(SEND, [...values])).rejects.toMatchObject({
      code: '22023',
      message: expect.stringMatching(message),
    });
    expect(await outbox.rows()).toEqual([]);
  });

  it('accepts the characters that an address may have', async () => {
    for (const recipient of ["o'neil+tag@mail.example.org", 'a.b_c@xn--nxasmq6b.example'])
      await client.query(SEND, [recipient, 'x', 'x', null]);
    expect(await outbox.rows()).toHaveLength(2);
  });

  it('refuses more mails in an hour than the setting allows, and counts no mails of services', async () => {
    await configure(false, 2);
    await outbox.put({
      channel: 'mail',
      kind: 'recovery',
      recipient: 'a@example.org',
      subject: 'x',
      text: 'x',
    });
    await client.query(SEND, [...MAIL]);
    await client.query(SEND, [...MAIL]);
    await expect(client.query(SEND, [...MAIL])).rejects.toMatchObject({
      code: '53400',
      message: 'greenroom.send_mail: more than 2 mails in an hour',
      hint: 'Set GREENROOM_PROJECT_MAILS_PER_HOUR.',
    });
    await database.run(`update greenroom.messages set created_at = now() - interval '61 min'`);
    await client.query(SEND, [...MAIL]);
    await configure(false);
  });

  it.each([
    ['service_role', true],
    ['authenticated', false],
    ['anon', false],
  ])('may be called by %s: %s', async (role, isAllowed) => {
    await client.query(`set role ${role}`);
    const call = client.query(SEND, [...MAIL]);
    if (isAllowed) await call;
    else await expect(call).rejects.toMatchObject({ code: '42501' });
    await expect(client.query('select from greenroom.messages')).rejects.toMatchObject({ code: '42501' });
    await client.query('reset role');
  });
});

describe('greenroom.page_url', () => {
  const URL_OF = 'select greenroom.page_url($1) as url';

  it.each([
    ['/', 'https://example.org/app/'],
    ['/account?tab=mails#top', 'https://example.org/app/account?tab=mails#top'],
  ])('returns the public URL of the page %s', async (path, url) => {
    await configure(false);
    expect((await client.query(URL_OF, [path])).rows).toEqual([{ url }]);
  });

  it.each(['account', '//example.net', '/\\example.net', 'https://example.net', '/a b', '/a\nb', '', null])(
    'rejects %j, which is no path of a page',
    async (path) => {
      await expect(client.query(URL_OF, [path])).rejects.toMatchObject({
        code: '22023',
        message: 'greenroom.page_url: path must begin with one slash and contain no spaces, e.g. /account',
      });
    },
  );

  it('may be called by service_role, but not by visitors and users', async () => {
    for (const role of ['anon', 'authenticated']) {
      await client.query(`set role ${role}`);
      await expect(client.query(URL_OF, ['/'])).rejects.toMatchObject({ code: '42501' });
      await client.query('reset role');
    }
    await client.query('set role service_role');
    expect((await client.query(URL_OF, ['/'])).rows).toHaveLength(1);
    await client.query('reset role');
  });
});
