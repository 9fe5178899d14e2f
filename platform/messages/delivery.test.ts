/** Delivery with a real database and a real mail server. */
import type { AddressInfo } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOutbox, createSmtpSender, type Delivery, listMessages, startDelivery } from './index.ts';

/** A mail as it arrived. */
interface Arrived {
  from: string;
  to: string[];
  source: string;
}

let database: TestDatabase;
let arrived: Arrived[];
let smtp: SMTPServer;
let refusal: (Error & { responseCode?: number }) | undefined;
let clock: Date;
let logged: object[];
const opened: { close(): unknown }[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  arrived = [];
  logged = [];
  refusal = undefined;
  clock = new Date();
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        if (refusal) return done(refusal);
        const { mailFrom, rcptTo } = session.envelope;
        arrived.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        });
        return done();
      });
    },
  });
  await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await new Promise<void>((done) => smtp.close(done));
  await database.drop();
});

const outbox = createOutbox({ delivers: { mail: true, sms: false } });
const mail = (recipient = 'ann@example.org') =>
  ({ channel: 'mail', kind: 'recovery', recipient, subject: 'Hello', text: 'The code is 123456' }) as const;
const put = (message: Parameters<typeof outbox.put>[0]) => database.auth.query(outbox.put(message));
const messages = () => listMessages(database.admin, {});

function deliver(port = (smtp.server.address() as AddressInfo).port): Delivery {
  const sender = createSmtpSender({
    host: '127.0.0.1',
    port,
    login: undefined,
    sender: { name: 'Room', address: 'room@example.org' },
  });
  const note = (details: object) => void logged.push(details);
  const delivery = startDelivery({
    database: database.admin,
    mail: sender,
    log: { info: note, warn: note },
    now: () => clock,
  });
  opened.push(delivery, sender);
  return delivery;
}

const later = (seconds: number) => {
  clock = new Date(clock.getTime() + seconds * 1000);
};

describe('a mail', () => {
  it('arrives once, and leaves nothing behind that could be used', async () => {
    await put({ ...mail(), html: '<p>123456</p>', link: 'https://room.example/verify?token=x' });
    const delivery = deliver();
    await delivery.run();
    await delivery.run();
    expect(arrived).toMatchObject([{ from: 'room@example.org', to: ['ann@example.org'] }]);
    expect(arrived[0]?.source).toContain('Subject: Hello');
    expect(arrived[0]?.source).toContain('123456');
    expect(await messages()).toMatchObject([
      { state: 'sent', attempts: 1, text_body: '', html_body: null, link: null },
    ]);
  });

  it('is sent by one of two that share the outbox', async () => {
    for (let count = 0; count < 25; count++) await put(mail(`person-${count}@example.org`));
    const nodes = [deliver(), deliver()];
    await Promise.all(nodes.map((node) => node.run()));
    expect(new Set(arrived.flatMap(({ to }) => to)).size).toBe(25);
    expect(arrived).toHaveLength(25);
  });

  it('is tried again later where the server has no time', async () => {
    refusal = Object.assign(new Error('come back later'), { responseCode: 451 });
    await put(mail());
    const delivery = deliver();
    await delivery.run();
    expect(await messages()).toMatchObject([
      {
        state: 'queued',
        attempts: 1,
        text_body: 'The code is 123456',
        last_error: expect.stringContaining('later'),
      },
    ]);
    refusal = undefined;
    await delivery.run();
    expect(arrived).toEqual([]);
    later(6);
    await delivery.run();
    expect(arrived).toHaveLength(1);
  });

  it('is not lost while the server is away', async () => {
    const { port } = smtp.server.address() as AddressInfo;
    await new Promise<void>((done) => smtp.close(done));
    await put(mail());
    const delivery = deliver(port);
    await delivery.run();
    later(6);
    await delivery.run();
    expect(await messages()).toMatchObject([{ state: 'queued', attempts: 2 }]);
    expect(logged).toMatchObject([{ attempts: 1 }, { attempts: 2 }]);
  });

  it('that was claimed by a node that died is sent after a while', async () => {
    await put(mail());
    await database.admin.query({
      text: `update greenroom.messages set next_attempt_at = now() + interval '2 minutes'`,
    });
    const delivery = deliver();
    await delivery.run();
    expect(arrived).toEqual([]);
    later(121);
    await delivery.run();
    expect(arrived).toHaveLength(1);
  });

  it('that is refused for good is not tried again', async () => {
    refusal = Object.assign(new Error('no such mailbox'), { responseCode: 550 });
    await put(mail());
    const delivery = deliver();
    await delivery.run();
    later(86_400);
    await delivery.run();
    expect(await messages()).toMatchObject([{ state: 'failed', attempts: 1, text_body: '' }]);
  });

  it('is given up after a day', async () => {
    refusal = Object.assign(new Error('come back later'), { responseCode: 451 });
    await put(mail());
    const delivery = deliver();
    await delivery.run();
    later(86_500);
    await delivery.run();
    expect(await messages()).toMatchObject([{ state: 'failed', text_body: '' }]);
  });

  it.each([
    ['subject', { ...mail(), subject: 'Hello\r\nBcc: eve@example.org' }],
    ['recipient', mail('ann@example.org>\r\nBcc: eve@example.org')],
    ['recipients', mail('ann@example.org, eve@example.org')],
  ])('goes to nobody else, whatever its %s says', async (_, message) => {
    await put(message);
    await deliver().run();
    const recipients = arrived.flatMap(({ to }) => to);
    expect(recipients).not.toContain('eve@example.org');
    for (const { source } of arrived) expect(source).not.toMatch(/^bcc:/im);
  });
});

describe('a message that goes nowhere', () => {
  const keeping = createOutbox({ delivers: { mail: false, sms: false } });

  function keep(): Delivery {
    const log = { info: (details: object) => void logged.push(details), warn: () => undefined };
    const delivery = startDelivery({ database: database.admin, mail: undefined, log });
    opened.push(delivery);
    return delivery;
  }

  it('is announced once, with its link or its text', async () => {
    const delivery = keep();
    await delivery.run();
    await database.auth.query(keeping.put({ ...mail(), link: 'https://room.example/x' }));
    await database.auth.query(
      keeping.put({ channel: 'sms', kind: 'confirmation', recipient: '15550100', text: 'Your code is 1' }),
    );
    await delivery.run();
    await delivery.run();
    expect(logged).toEqual([
      { channel: 'mail', kind: 'recovery', recipient: 'ann@example.org', link: 'https://room.example/x' },
      { channel: 'sms', kind: 'confirmation', recipient: '15550100', link: 'Your code is 1' },
    ]);
    expect(await messages()).toMatchObject([{ state: 'kept' }, { state: 'kept' }]);
  });

  it('is forgotten after a week', async () => {
    await database.auth.query(keeping.put(mail()));
    await database.admin.query({
      text: `update greenroom.messages set created_at = now() - interval '8 days'`,
    });
    await keep().run();
    expect(await messages()).toEqual([]);
  });
});
