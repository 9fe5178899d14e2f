/** Delivery with a real database, a real mail server and a real HTTP server in place of an SMS provider. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openDatabase } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSmsSender, startDelivery } from './index.ts';
import { claimDue, giveUp, markSent, scheduleRetry } from './queue.ts';
import { sendDue } from './send-due.ts';
import { type MailServer, startMailServer } from './testing/mail-server.ts';
import { type OutboxFixture, openOutboxFixture, smtpSender } from './testing/outbox.ts';
import { startProviderServer } from './testing/provider-server.ts';

const DAY_SECONDS = 86_400;

let database: TestDatabase;
let outbox: OutboxFixture;
let server: MailServer;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  outbox = await openOutboxFixture(database);
  server = await startMailServer();
});
afterEach(async () => {
  await outbox.close();
  await server.stop();
});

const mail = (recipient = 'ann@example.org') =>
  ({ channel: 'mail', kind: 'recovery', recipient, subject: 'Hello', text: 'The code is 123456' }) as const;
const sms = { channel: 'sms', kind: 'confirmation', recipient: '15550100', text: 'Your code is 1' } as const;
const BLANK = { text_body: '', html_body: null, link: null, code: null };

describe('a mail', () => {
  it('arrives once, and its codes and links are erased', async () => {
    await outbox.put({ ...mail(), html: '<p>123456</p>', link: 'https://room.example/verify?token=x' });
    const delivery = outbox.deliverMail(server.port);
    await delivery.run();
    await delivery.run();
    expect(server.arrived).toMatchObject([{ from: 'room@example.org', to: ['ann@example.org'] }]);
    const { source = '' } = server.arrived[0] ?? {};
    for (const part of ['From: Room <room@example.org>', 'To: ann@example.org', 'Subject: Hello', '123456']) {
      expect(source).toContain(part);
    }
    expect(await outbox.rows()).toMatchObject([{ state: 'sent', attempts: 1, last_error: null, ...BLANK }]);
  });

  it('is sent immediately after a wake-up', async () => {
    const delivery = outbox.deliverMail(server.port);
    await delivery.run();
    const arrives = server.next();
    await outbox.put(mail());
    delivery.wake();
    expect(await arrives).toMatchObject({ to: ['ann@example.org'] });
  });

  it('is sent by one of two nodes that share the outbox', async () => {
    for (let count = 0; count < 25; count++) await outbox.put(mail(`person-${count}@example.org`));
    const other = openDatabase({ url: outbox.database.url, max: 2, applicationName: 'other node' });
    const sender = smtpSender(server.port);
    const log = { info: () => undefined, warn: () => undefined };
    const nodes = [
      outbox.deliverMail(server.port),
      startDelivery({ database: other, mail: sender, sms: undefined, log, now: outbox.now }),
    ];
    await Promise.all(nodes.map((node) => node.run()));
    expect(server.arrived.map(({ to }) => to[0]).toSorted()).toEqual(
      Array.from({ length: 25 }, (_, count) => `person-${count}@example.org`).toSorted(),
    );
    await nodes[1]?.close();
    sender.close();
    await other.close();
  });

  it('is retried later if the server is temporarily unavailable', async () => {
    server.refuseWith(451);
    await outbox.put(mail());
    const delivery = outbox.deliverMail(server.port);
    await delivery.run();
    expect(await outbox.rows()).toMatchObject([
      {
        state: 'queued',
        attempts: 1,
        text_body: 'The code is 123456',
        last_error: expect.stringMatching('451'),
      },
    ]);
    server.refuseWith(undefined);
    outbox.advance(4);
    await delivery.run();
    expect(server.arrived).toEqual([]);
    outbox.advance(2);
    await delivery.run();
    expect(server.arrived).toHaveLength(1);
    expect(await outbox.rows()).toMatchObject([{ state: 'sent', attempts: 2, last_error: null, ...BLANK }]);
  });

  it('reports the time of its retry, so that no polling is needed', async () => {
    server.refuseWith(451);
    await outbox.put(mail());
    const { signal } = new AbortController();
    const sender = smtpSender(server.port);
    const log = { info: () => undefined, warn: () => undefined };
    const queue = {
      database: outbox.database.admin,
      sender,
      log,
      now: outbox.now,
      closing: signal,
      stop: signal,
    };
    const delayMs = await sendDue(queue);
    expect(delayMs).toBeGreaterThanOrEqual(5000);
    expect(delayMs).toBeLessThanOrEqual(5500);
    server.refuseWith(undefined);
    outbox.advance(6);
    expect(await sendDue(queue)).toBeUndefined();
    sender.close();
  });

  it('is kept while the server is unreachable', async () => {
    await server.stop();
    await outbox.put(mail());
    const delivery = outbox.deliverMail(server.port);
    await delivery.run();
    outbox.advance(6);
    await delivery.run();
    expect(await outbox.rows()).toMatchObject([{ state: 'queued', attempts: 2 }]);
    expect(outbox.logged).toMatchObject([
      { level: 'warn', attempts: 1 },
      { level: 'warn', attempts: 2 },
    ]);
    await server.start();
    outbox.advance(34);
    await delivery.run();
    expect(server.arrived).toHaveLength(1);
  });

  it('is sent by the next node if the sending node was killed', async () => {
    await outbox.put(mail());
    const transmitted = server.hang();
    const node = spawn(process.execPath, ['--input-type=module', '--eval', NODE], {
      cwd: import.meta.dirname,
      env: { ...process.env, DB_URL: outbox.database.url, SMTP_PORT: String(server.port) },
      stdio: 'inherit',
    });
    await Promise.race([transmitted, once(node, 'exit').then(() => Promise.reject(new Error('it ended')))]);
    node.kill('SIGKILL');
    await once(node, 'exit');
    await server.stop();
    await server.start();
    const delivery = outbox.deliverMail(server.port);
    await delivery.run();
    expect(server.arrived).toEqual([]);
    // The lease began when the node had started, which may take a while.
    outbox.advance(300);
    await delivery.run();
    expect(server.arrived).toHaveLength(1);
    expect(await outbox.rows()).toMatchObject([{ state: 'sent' }]);
  });

  it('is not attempted during the shutdown', async () => {
    for (let count = 0; count < 25; count++) await outbox.put(mail());
    const transmitted = server.hang();
    const smtp = smtpSender(server.port);
    const delivery = outbox.deliver({ mail: smtp, closeTimeoutMs: 0 });
    await transmitted;
    await delivery.close();
    const attempts = (await outbox.rows()).map((row) => row.attempts);
    expect(attempts.filter((count) => count === 0)).toHaveLength(15);
    smtp.close();
  });

  it.each([500, 550, 554])('that is rejected with %i is not retried', async (code) => {
    server.refuseWith(code);
    await outbox.put({ ...mail(), html: '<p>123456</p>', link: 'https://room.example/verify?token=x' });
    const delivery = outbox.deliverMail(server.port);
    await delivery.run();
    const failed = {
      state: 'failed',
      attempts: 1,
      last_error: expect.stringContaining(String(code)),
      ...BLANK,
    };
    expect(await outbox.rows()).toMatchObject([failed]);
    server.refuseWith(undefined);
    outbox.advance(DAY_SECONDS);
    await delivery.run();
    expect(server.arrived).toEqual([]);
    expect(outbox.logged).toMatchObject([{ level: 'warn', message: 'message failed permanently' }]);
    expect(JSON.stringify(outbox.logged)).not.toContain('123456');
  });

  it('waits while the server rejects the login, and is sent once the login works', async () => {
    let password = 'mended';
    const strict = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password: receivedPassword }, _session, done) =>
        receivedPassword === password
          ? done(null, { user: username })
          : done(Object.assign(new Error('5.7.8 Authentication failed'), { responseCode: 535 })),
    });
    await outbox.put(mail());
    const smtp = smtpSender(strict.port, { user: 'room', pass: 'secret' });
    const delivery = outbox.deliver({ mail: smtp });
    await delivery.run();
    expect(await outbox.rows()).toMatchObject([
      { state: 'queued', attempts: 1, last_error: expect.stringContaining('535') },
    ]);
    expect(outbox.logged).toMatchObject([
      {
        level: 'warn',
        message: 'message could not be sent; it is retried',
        reason: expect.stringContaining('535'),
      },
    ]);
    expect(JSON.stringify(outbox.logged)).not.toContain('secret');
    password = 'secret';
    outbox.advance(3600);
    await delivery.run();
    expect(strict.arrived).toHaveLength(1);
    expect(await outbox.rows()).toMatchObject([{ state: 'sent', attempts: 2 }]);
    smtp.close();
    await strict.stop();
  });

  it('fails after a day', async () => {
    server.refuseWith(451);
    await outbox.put(mail());
    const delivery = outbox.deliverMail(server.port);
    await delivery.run();
    outbox.advance(DAY_SECONDS - 3700);
    await delivery.run();
    expect(await outbox.rows()).toMatchObject([{ state: 'queued', attempts: 2 }]);
    outbox.advance(3760);
    await delivery.run();
    expect(await outbox.rows()).toMatchObject([{ state: 'failed', attempts: 3, ...BLANK }]);
  });

  it('is attempted once more after days without an attempt', async () => {
    await outbox.put(mail());
    outbox.advance(3 * DAY_SECONDS);
    await outbox.deliverMail(server.port).run();
    expect(server.arrived).toHaveLength(1);
  });

  it('is not sent to a server with an untrusted certificate', async () => {
    const otherServer = await startMailServer({ disabledCommands: [] });
    await outbox.put(mail());
    await outbox.deliverMail(otherServer.port).run();
    expect(otherServer.arrived).toEqual([]);
    expect(await outbox.rows()).toMatchObject([
      { state: 'queued', last_error: expect.stringMatching(/certificate/) },
    ]);
    await otherServer.stop();
  });

  it('is sent with the configured login', async () => {
    const logins: unknown[] = [];
    const guarded = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        logins.push([username, password]);
        done(null, { user: username });
      },
    });
    await outbox.put(mail());
    const sender = smtpSender(guarded.port, { user: 'room', pass: 'secret' });
    await outbox.deliver({ mail: sender }).run();
    expect(logins).toEqual([['room', 'secret']]);
    expect(guarded.arrived).toHaveLength(1);
    sender.close();
    await guarded.stop();
  });
});

describe('a mail with injected headers', () => {
  const EVE = 'eve@example.org';

  it.each([
    ['subject', { ...mail(), subject: `Hello\r\nBcc: ${EVE}\r\n\r\nWin!` }],
    ['subject with a bare newline', { ...mail(), subject: `Hello\nBcc: ${EVE}` }],
    ['subject with a bare return', { ...mail(), subject: `Hello\rBcc: ${EVE}` }],
  ])('has one recipient and no injected headers: %s', async (_, message) => {
    await outbox.put(message);
    await outbox.deliverMail(server.port).run();
    expect(server.arrived).toMatchObject([{ to: ['ann@example.org'] }]);
    const { source = '' } = server.arrived[0] ?? {};
    const headers = source.slice(0, source.indexOf('\r\n\r\n'));
    expect(headers).not.toMatch(/^bcc:/im);
    expect(headers).toMatch(/^Subject: Hello.*eve@example\.org/m);
    expect(headers).toMatch(/^Message-ID: /im);
  });

  it.each([
    `ann@example.org>\r\nRCPT TO:<${EVE}>`,
    `ann@example.org\r\nBcc: ${EVE}`,
    `ann@example.org\nBcc: ${EVE}`,
    `ann@example.org, ${EVE}`,
    `<ann@example.org> <${EVE}>`,
    `"Ann, <${EVE}>" <ann@example.org>`,
  ])('is not sent to a recipient with a second address: %j', async (recipient) => {
    await outbox.put(mail(recipient));
    await outbox.deliverMail(server.port).run();
    expect(server.arrived).toEqual([]);
    expect(await outbox.rows()).toMatchObject([
      { state: 'failed', last_error: expect.stringContaining('501') },
    ]);
  });
});

describe('a claim of a message', () => {
  const claim = async (leaseUntil: Date) =>
    outbox.database.admin.query<{ id: string }>(
      claimDue({ channels: ['mail'], now: outbox.now(), leaseUntil, limit: 10 }),
    );

  it('has no effect after its expiry', async () => {
    await outbox.put(mail());
    const firstLease = new Date(outbox.now().getTime() + 120_000);
    const [{ id } = { id: '' }] = await claim(firstLease);
    expect(await claim(firstLease)).toEqual([]);
    outbox.advance(121);
    const secondLease = new Date(outbox.now().getTime() + 120_000);
    expect(await claim(secondLease)).toMatchObject([{ id }]);
    const expired = { id, leaseUntil: firstLease, reason: 'too slow', now: outbox.now() };
    const { admin } = outbox.database;
    await admin.query(scheduleRetry(expired, outbox.now()));
    await admin.query(giveUp(expired));
    expect(await outbox.rows()).toMatchObject([
      { state: 'queued', attempts: 0, next_attempt_at: secondLease, text_body: 'The code is 123456' },
    ]);
    await admin.query(markSent(id, 'x', outbox.now()));
    await admin.query(giveUp({ ...expired, leaseUntil: secondLease }));
    expect(await outbox.rows()).toMatchObject([{ state: 'sent', provider_id: 'x', attempts: 1 }]);
  });
});

describe('an SMS', () => {
  const credentials = { apiKey: 'key', sender: 'Room' };
  const success = { status: 200, body: { status: 'success', messages: [{ id: '42' }] } };

  it("is sent to the provider, stores the provider's id, and is erased", async () => {
    const provider = await startProviderServer();
    provider.response = success;
    await outbox.put(sms);
    const sender = createSmsSender({ provider: 'textlocal', credentials, url: provider.url });
    await outbox.deliver({ sms: sender }).run();
    expect(provider.requests).toHaveLength(1);
    expect(await outbox.rows()).toMatchObject([{ state: 'sent', provider_id: '42', ...BLANK }]);
    await provider.close();
  });

  it('by WhatsApp is sent with its code as a variable of the template, and the code is erased', async () => {
    const provider = await startProviderServer();
    provider.response = { status: 201, body: { sid: 'SM1', status: 'queued' } };
    const code = '123456';
    const delivers = { mail: true, sms: true, whatsapp: true };
    await outbox.put({ ...sms, channel: 'whatsapp', code, text: `Your code is ${code}` }, delivers);
    expect(await outbox.rows()).toMatchObject([{ code }]);
    const account = { accountSid: 'AC1', authToken: 'secret', messageServiceSid: 'MG1', contentSid: 'HX1' };
    const sender = createSmsSender({ provider: 'twilio', credentials: account, url: provider.url });
    await outbox.deliver({ sms: sender }).run();
    expect(provider.requests.map(({ form }) => Object.fromEntries(form))).toEqual([
      {
        To: 'whatsapp:+15550100',
        From: 'MG1',
        Channel: 'whatsapp',
        ContentSid: 'HX1',
        ContentVariables: JSON.stringify({ 1: code }),
      },
    ]);
    expect(await outbox.rows()).toMatchObject([{ state: 'sent', provider_id: 'SM1', ...BLANK }]);
    await provider.close();
  });

  it('is kept without its code apart from the text', async () => {
    await outbox.put({ ...sms, code: '1' }, { mail: false, sms: false });
    expect(await outbox.rows()).toMatchObject([{ state: 'kept', code: null, text_body: sms.text }]);
  });

  it('is retried if the provider is unreachable', async () => {
    const stopped = await startProviderServer();
    await stopped.close();
    await outbox.put(sms);
    const sender = createSmsSender({ provider: 'textlocal', credentials, url: stopped.url });
    await outbox.deliver({ sms: sender }).run();
    expect(await outbox.rows()).toMatchObject([
      { state: 'queued', attempts: 1, last_error: 'fetch failed: ECONNREFUSED', text_body: 'Your code is 1' },
    ]);
  });

  it('does not delay mails or the shutdown if the provider does not respond', async () => {
    const provider = await startProviderServer();
    provider.response = undefined;
    await outbox.put(sms);
    await outbox.put(mail());
    const smtp = smtpSender(server.port);
    const sender = createSmsSender({ provider: 'textlocal', credentials, url: provider.url });
    const transmitted = server.hang();
    const delivery = outbox.deliver({ sms: sender, mail: smtp, closeTimeoutMs: 0 });
    await transmitted;
    while (provider.requests.length === 0) await new Promise(setImmediate);
    await delivery.close();
    expect(await outbox.rows()).toMatchObject([
      { channel: 'sms', state: 'queued', attempts: 1 },
      { channel: 'mail', state: 'queued', attempts: 1 },
    ]);
    smtp.close();
    await provider.close();
  });
});

/** A separate node: a process that delivers until it is killed. */
const NODE = `
  import { createSmtpSender, startDelivery } from '@greenroom/messages';
  import { openDatabase } from '@greenroom/postgres';
  const { DB_URL: url, SMTP_PORT } = process.env;
  const database = openDatabase({ url, max: 2, applicationName: 'node' });
  const sender = { name: '', address: 'room@example.org' };
  const mail = createSmtpSender({ host: '127.0.0.1', port: Number(SMTP_PORT), login: undefined, sender });
  startDelivery({ database, mail, sms: undefined, log: console });
`;
