/** The API of Mailpit and the pages of mails, over real sockets. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestMailbox, type TestMailbox } from '../testing/mailbox.ts';

let mailbox: TestMailbox;
beforeAll(async () => {
  mailbox = await startTestMailbox();
});
afterAll(() => mailbox.close());
beforeEach(() => mailbox.database.admin.query({ text: 'delete from greenroom.messages' }));

interface Summary {
  total: number;
  unread: number;
  count: number;
  messages_count: number;
  messages_unread: number;
  start: number;
  messages: { ID: string; Subject: string; To: { Address: string }[]; Read: boolean }[];
}

const subjects = async (path: string) =>
  (await mailbox.json<Summary>(path)).messages.map(({ Subject }) => Subject);
const search = (query: string) => subjects(`/api/v1/search?query=${encodeURIComponent(query)}`);

/** Sends a request with other headers than `fetch` allows. */
async function send(path: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(mailbox.servers.url);
  const call = httpRequest({ host: hostname, port, path, headers });
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('GET /api/v1/messages', () => {
  it('lists kept mails newest first, in pages', async () => {
    for (const subject of ['one', 'two', 'three'])
      await mailbox.keep({ recipient: 'ann@example.org', subject });
    await mailbox.keep({ recipient: '15550100', channel: 'sms' });
    const first = await mailbox.json<Summary>('/api/v1/messages?limit=2');
    expect(first).toMatchObject({
      total: 3,
      unread: 3,
      count: 2,
      messages_count: 3,
      messages_unread: 3,
      start: 0,
    });
    expect(first.messages.map(({ Subject }) => Subject)).toEqual(['three', 'two']);
    expect(await subjects('/api/v1/messages?start=2&limit=2')).toEqual(['one']);
  });

  it('returns the fields of Mailpit', async () => {
    const id = await mailbox.keep({
      recipient: 'ann@example.org',
      text: '  Your\n\ncode is 123456 ',
      html: '<p>x</p>',
    });
    const { messages } = await mailbox.json<Summary>('/api/v1/messages');
    expect(messages).toEqual([
      {
        ID: id,
        MessageID: `${id}@example.org`,
        Read: false,
        From: { Name: 'Room', Address: 'room@example.org' },
        To: [{ Name: '', Address: 'ann@example.org' }],
        Cc: [],
        Bcc: [],
        ReplyTo: [],
        Subject: 'Hello',
        Created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        Username: '',
        Tags: [],
        Size: 31,
        Attachments: 0,
        Snippet: 'Your code is 123456',
      },
    ]);
  });
});

describe('GET /api/v1/search', () => {
  beforeEach(async () => {
    await mailbox.keep({ recipient: 'ann@example.org', subject: 'Reset your password', text: 'Code 111111' });
    await mailbox.keep({ recipient: 'bob@example.org', subject: 'Welcome', text: 'Code 222222' });
  });

  it.each([
    ['to:ann@example.org', ['Reset your password']],
    ['to:"ann@example.org"', ['Reset your password']],
    ['TO:ANN', ['Reset your password']],
    ['-to:ann', ['Welcome']],
    ['subject:"your password"', ['Reset your password']],
    ['222222', ['Welcome']],
    ['code to:bob', ['Welcome']],
    ['code -222222', ['Reset your password']],
    ['from:room@example.org', ['Welcome', 'Reset your password']],
    ['from:eve', []],
    ['100%', []],
  ])('finds %s', async (query, expected) => {
    expect(await search(query)).toEqual(expected);
  });

  it.each([
    ['', 'Error: no search query'],
    ['tag:x', 'Error: the filter tag: is not supported. Allowed: to: from: '],
    [Array.from({ length: 21 }, () => 'x').join(' '), 'Error: a search has at most 20 terms'],
  ])('rejects %j', async (query, message) => {
    const response = await mailbox.fetch(`/api/v1/search?query=${encodeURIComponent(query)}`);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
  });

  it('counts matching and all mails', async () => {
    const found = await mailbox.json<Summary>('/api/v1/search?query=to:ann');
    expect(found).toMatchObject({ total: 2, messages_count: 1, count: 1 });
  });
});

describe('GET /api/v1/message/{id}', () => {
  it('returns the whole mail, which then counts as read', async () => {
    const id = await mailbox.keep({ recipient: 'ann@example.org', html: '<p>Hi</p>' });
    expect(await mailbox.json(`/api/v1/message/${id}`)).toMatchObject({
      ID: id,
      Text: 'Code 123456',
      HTML: '<p>Hi</p>',
      ReturnPath: 'room@example.org',
      Attachments: [],
      Inline: [],
    });
    const { messages, unread } = await mailbox.json<Summary>('/api/v1/messages');
    expect([messages[0]?.Read, unread]).toEqual([true, 0]);
  });

  it('returns the newest mail, or the newest that matches, as latest', async () => {
    await mailbox.keep({ recipient: 'ann@example.org', subject: 'one' });
    await mailbox.keep({ recipient: 'bob@example.org', subject: 'two' });
    expect(await mailbox.json('/api/v1/message/latest')).toMatchObject({ Subject: 'two' });
    expect(await mailbox.json('/api/v1/message/latest?query=to:ann')).toMatchObject({ Subject: 'one' });
  });

  it.each(['latest', 'x', '00000000-0000-4000-8000-000000000000', 'x%2F..%2Finfo'])(
    'responds with 404 to %s if there is no such mail',
    async (id) => {
      for (const path of ['', '/headers', '/raw']) {
        expect((await mailbox.fetch(`/api/v1/message/${id}${path}`)).status).toBe(404);
      }
      expect((await mailbox.fetch(`/view/${id}.html`)).status).toBe(404);
    },
  );

  it('returns the same source each time, and its headers', async () => {
    const id = await mailbox.keep({ recipient: 'ann@example.org', subject: 'Grüße', html: '<p>Hi</p>' });
    const raw = await (await mailbox.fetch(`/api/v1/message/${id}/raw`)).text();
    expect(raw).toMatch(/^From: Room <room@example\.org>\r\nTo: ann@example\.org\r\n/);
    expect(raw).toContain('Code 123456');
    expect(await (await mailbox.fetch(`/api/v1/message/${id}/raw`)).text()).toBe(raw);
    const headers = await mailbox.json(`/api/v1/message/${id}/headers`);
    expect(headers).toMatchObject({
      From: ['Room <room@example.org>'],
      'Message-Id': [`<${id}@example.org>`],
    });
  });
});

describe('DELETE', () => {
  it('/api/v1/messages deletes the named mails, or all, and no other messages', async () => {
    const id = await mailbox.keep({ recipient: 'ann@example.org' });
    await mailbox.keep({ recipient: 'bob@example.org' });
    await mailbox.keep({ recipient: '15550100', channel: 'sms' });
    const remove = (body?: string) =>
      mailbox.fetch('/api/v1/messages', { method: 'DELETE', ...(body && { body }) });
    expect(await (await remove(JSON.stringify({ IDs: [id, 'x'] }))).text()).toBe('ok');
    expect((await mailbox.json<Summary>('/api/v1/messages')).messages).toMatchObject([
      { To: [{ Address: 'bob@example.org' }] },
    ]);
    for (const body of ['{', '[]', '5', '{"IDs":[1]}', '{"IDs":"x"}']) {
      expect((await remove(body)).status, body).toBe(400);
    }
    expect((await mailbox.json<Summary>('/api/v1/messages')).total).toBe(1);
    await remove();
    expect((await mailbox.json<Summary>('/api/v1/messages')).total).toBe(0);
    const rest = await mailbox.database.admin.query({ text: 'select channel from greenroom.messages' });
    expect(rest).toEqual([{ channel: 'sms' }]);
  });

  it('/api/v1/search deletes the mails that match', async () => {
    await mailbox.keep({ recipient: 'ann@example.org' });
    await mailbox.keep({ recipient: 'bob@example.org', subject: 'kept' });
    expect((await mailbox.fetch('/api/v1/search?query=to:ann', { method: 'DELETE' })).status).toBe(200);
    expect(await subjects('/api/v1/messages')).toEqual(['kept']);
  });
});

describe('a page of a mail', () => {
  const HTML = '<script>document.title = 1</script><a href="http://localhost/verify?token=x">Confirm</a>';

  it('shows the HTML without scripts, in an opaque origin', async () => {
    const id = await mailbox.keep({ recipient: 'ann@example.org', html: HTML });
    for (const file of [`${id}.html`, 'latest.html?query=to%3A%22ann%40example.org%22']) {
      const response = await mailbox.fetch(`/view/${file}`);
      expect(await response.text()).toBe(HTML);
      const policy = response.headers.get('content-security-policy');
      expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/);
      expect(policy).not.toContain('script');
    }
  });

  it('shows the text, and redirects to the page of the mailbox without a format', async () => {
    const id = await mailbox.keep({ recipient: 'ann@example.org' });
    const response = await mailbox.fetch(`/view/${id}.txt`);
    expect([response.headers.get('content-type'), await response.text()]).toEqual([
      'text/plain; charset=utf-8',
      'Code 123456',
    ]);
    expect((await mailbox.fetch(`/view/${id}.html`)).status).toBe(404);
    const page = await mailbox.fetch(`/view/${id}`);
    expect(page.headers.get('location')).toBe(`http://localhost:1/admin/mailbox?message=${id}`);
    expect((await mailbox.fetch('/')).headers.get('location')).toBe('http://localhost:1/admin/mailbox');
  });
});

describe('the server', () => {
  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:54324'])(
    'refuses the host %j',
    async (host) => {
      await mailbox.keep({ recipient: 'ann@example.org' });
      const { status, body } = await send('/api/v1/messages', { host });
      expect(status).toBe(403);
      expect(body).not.toContain('ann@example.org');
    },
  );

  it.each(['localhost', '127.0.0.1:54324', 'mail.localhost:54324', '[::1]'])(
    'accepts the host %s',
    async (host) => {
      expect((await send('/api/v1/messages', { host })).status).toBe(200);
    },
  );

  it('allows no other origin to read or delete mails', async () => {
    const origin = 'https://evil.example';
    const { headers } = await send('/api/v1/messages', { host: 'localhost', origin });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const preflight = await mailbox.fetch('/api/v1/messages', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'DELETE' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([404, null]);
  });

  it('listens on the loopback only', () => {
    expect(mailbox.servers.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('rejects large bodies and headers', async () => {
    const body = 'x'.repeat(70_000);
    expect((await mailbox.fetch('/api/v1/messages', { method: 'DELETE', body })).status).toBe(413);
    expect((await send('/', { host: 'localhost', x: 'x'.repeat(20_000) })).status).toBe(431);
  });

  it('reports itself', async () => {
    await mailbox.keep({ recipient: 'ann@example.org' });
    expect(await mailbox.json('/api/v1/info')).toEqual({
      Version: 'Greenroom 1.2.3',
      Messages: 1,
      Unread: 1,
    });
    expect(await mailbox.json('/health')).toEqual({
      status: 'ok',
      version: '1.2.3',
      parts: { mailbox: 'ok' },
    });
  });
});

describe('the API of Inbucket', () => {
  const path = '/api/v1/mailbox';

  it('lists the mails of a mailbox, oldest first', async () => {
    const first = await mailbox.keep({ recipient: 'ann+new@example.org', subject: 'one' });
    await mailbox.keep({ recipient: 'ann@example.com', subject: 'two' });
    await mailbox.keep({ recipient: 'anna@example.org' });
    const listed = await mailbox.json<Record<string, unknown>[]>(`${path}/ann`);
    expect(listed.map(({ subject }) => subject)).toEqual(['one', 'two']);
    expect(listed[0]).toEqual({
      mailbox: 'ann',
      id: first,
      from: 'Room <room@example.org>',
      to: ['<ann+new@example.org>'],
      subject: 'one',
      date: expect.any(String),
      'posix-millis': expect.any(Number),
      size: 11,
      seen: false,
    });
    for (const name of ['ANN@example.org', 'ann%40example.org']) {
      expect(await mailbox.json<unknown[]>(`${path}/${name}`)).toHaveLength(2);
    }
    expect(await mailbox.json(`${path}/nobody`)).toEqual([]);
  });

  it('returns and deletes single mails and whole mailboxes', async () => {
    const id = await mailbox.keep({ recipient: 'ann@example.org', html: '<p>Hi</p>' });
    await mailbox.keep({ recipient: 'bob@example.org' });
    for (const name of [id, 'latest']) {
      expect(await mailbox.json(`${path}/ann/${name}`)).toMatchObject({
        id,
        body: { text: 'Code 123456', html: '<p>Hi</p>' },
        header: { Subject: ['Hello'] },
        attachments: [],
      });
    }
    expect(await (await mailbox.fetch(`${path}/ann/${id}/source`)).text()).toContain('Subject: Hello');
    const remove = async (rest: string) =>
      (await mailbox.fetch(`${path}/${rest}`, { method: 'DELETE' })).status;
    expect(await remove(`bob/${id}`)).toBe(404);
    expect(await remove(`ann/${id}`)).toBe(200);
    expect(await remove(`ann/${id}`)).toBe(404);
    expect(await remove('bob')).toBe(200);
    expect((await mailbox.json<Summary>('/api/v1/messages')).total).toBe(0);
  });
});

it('shows received mails with all recipients and attachments', async () => {
  const transport = createTransport({ host: '127.0.0.1', port: mailbox.servers.smtpPort });
  await transport.sendMail({
    from: 'Shop <shop@example.org>',
    to: ['Ann <ann@example.org>', 'bob@example.org'],
    cc: 'cy@example.org',
    bcc: 'dee@example.org',
    replyTo: 'help@example.org',
    subject: 'Invoice',
    html: '<p>Order <b>7</b></p>',
    attachments: [{ filename: 'invoice.txt', content: 'seven' }],
  });
  transport.close();
  const mail = await mailbox.json<{ Attachments: { PartID: string }[] }>('/api/v1/message/latest');
  expect(mail).toMatchObject({
    From: { Name: 'Shop', Address: 'shop@example.org' },
    To: [
      { Name: 'Ann', Address: 'ann@example.org' },
      { Name: '', Address: 'bob@example.org' },
    ],
    Cc: [{ Name: '', Address: 'cy@example.org' }],
    Bcc: [{ Name: '', Address: 'dee@example.org' }],
    ReplyTo: [{ Name: '', Address: 'help@example.org' }],
    Subject: 'Invoice',
    Text: 'Order 7',
    HTML: expect.stringContaining('<p>Order <b>7</b></p>'),
    Attachments: [{ PartID: '1', FileName: 'invoice.txt', ContentType: 'text/plain', Size: 5 }],
  });
  const part = await mailbox.fetch(`/api/v1/message/latest/part/${mail.Attachments[0]?.PartID}`);
  expect([part.headers.get('content-disposition'), await part.text()]).toEqual(['attachment', 'seven']);
  for (const name of ['ann', 'bob', 'cy', 'dee']) {
    expect(await mailbox.json<unknown[]>(`/api/v1/mailbox/${name}`)).toHaveLength(1);
  }
  expect(await search('addressed:dee')).toEqual(['Invoice']);
});
