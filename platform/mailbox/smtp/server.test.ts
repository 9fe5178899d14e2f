/** Mails that programs send to the mailbox, and input that is hostile. */
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Conversation, converse, startTestMailbox, type TestMailbox } from '../testing/mailbox.ts';
import { MAX_MAIL_BYTES } from './server.ts';

let mailbox: TestMailbox;
beforeAll(async () => {
  mailbox = await startTestMailbox();
});
afterAll(() => mailbox.close());
beforeEach(() => mailbox.database.admin.query({ text: 'delete from greenroom.messages' }));

const rows = () =>
  mailbox.database.admin.query<{ recipient: string; subject: string; text_body: string }>({
    text: 'select kind, state, recipient, subject, text_body, html_body from greenroom.messages order by created_at',
  });

async function greeted(): Promise<Conversation> {
  const conversation = await converse(mailbox.servers.smtpPort);
  expect(await conversation.until(/\r\n$/)).toMatch(/^220 .*Greenroom\r\n$/);
  return conversation;
}

/** Begins a mail; the content follows. */
async function beginMail(): Promise<Conversation> {
  const conversation = await greeted();
  await conversation.say('EHLO localhost', /^250 /m);
  await conversation.say('MAIL FROM:<shop@example.org>');
  await conversation.say('RCPT TO:<ann@example.org>');
  expect(await conversation.say('DATA')).toMatch(/^354 /);
  return conversation;
}

describe('a received mail', () => {
  it.each([
    ['without a login', undefined],
    ['with any login', { user: 'ann', pass: 'wrong' }],
  ])('is in the mailbox: %s', async (_, auth) => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: mailbox.servers.smtpPort,
      ...(auth && { auth }),
    });
    await transport.sendMail({
      from: 'shop@example.org',
      to: 'ann@example.org, bob@example.org',
      subject: 'Grüße',
      text: 'Dots:\n.\n..',
    });
    transport.close();
    expect(await rows()).toEqual([
      {
        kind: 'received',
        state: 'kept',
        recipient: 'ann@example.org, bob@example.org',
        subject: 'Grüße',
        text_body: 'Dots:\n.\n..\n',
        html_body: null,
      },
    ]);
  });

  it('needs no header, and may contain NUL', async () => {
    const conversation = await beginMail();
    expect(await conversation.say('Subject: a\0b\r\n\r\nNUL \0 here\r\n.')).toMatch(/^250 /);
    expect(await conversation.say('QUIT')).toMatch(/^221 /);
    expect(await rows()).toMatchObject([
      { subject: 'ab', text_body: expect.stringMatching(/^NUL {2}here\s*$/) },
    ]);
  });

  it('is not logged with its text', async () => {
    const conversation = await beginMail();
    await conversation.say('Subject: x\r\n\r\nsecret\r\n.');
    const [row] = await mailbox.database.admin.query<{ source: Buffer }>({
      text: 'select source from greenroom.messages',
    });
    expect(String(row?.source)).toBe('Subject: x\r\n\r\nsecret\r\n');
    conversation.socket.destroy();
  });
});

describe('the server', () => {
  it('rejects mails that are too large, and accepts the next one', async () => {
    const conversation = await beginMail();
    const line = `${'x'.repeat(998)}\r\n`;
    const block = line.repeat(1000);
    for (let sent = 0; sent <= MAX_MAIL_BYTES; sent += block.length) {
      if (!conversation.socket.write(block))
        await new Promise((done) => conversation.socket.once('drain', done));
    }
    expect(await conversation.say('.')).toMatch(/^552 /);
    expect(await rows()).toEqual([]);
    await conversation.say('MAIL FROM:<shop@example.org>');
    await conversation.say('RCPT TO:<ann@example.org>');
    await conversation.say('DATA');
    expect(await conversation.say('Subject: small\r\n\r\n.')).toMatch(/^250 /);
    conversation.socket.destroy();
  });

  it('disconnects a client whose mail does not end', async () => {
    const conversation = await beginMail();
    const block = `${'x'.repeat(998)}\r\n`.repeat(1000);
    let isEnded = false;
    conversation.ended.then(() => {
      isEnded = true;
    });
    while (!isEnded) {
      conversation.socket.write(block);
      await new Promise(setImmediate);
    }
    expect(await rows()).toEqual([]);
  });

  it('disconnects a client whose command does not end', async () => {
    const conversation = await greeted();
    conversation.socket.write('X'.repeat(100_000));
    await conversation.ended;
  });

  it('receives no mail from an HTTP request', async () => {
    const commands = [
      'EHLO x',
      'MAIL FROM:<a@example.org>',
      'RCPT TO:<b@example.org>',
      'DATA',
      'x',
      '.',
      'QUIT',
      '',
    ];
    const url = `http://127.0.0.1:${mailbox.servers.smtpPort}`;
    await expect(fetch(url, { method: 'POST', body: commands.join('\r\n') })).rejects.toThrow();
    expect(await rows()).toEqual([]);
  });

  it('limits recipients, the length of addresses, and connections', async () => {
    const conversation = await greeted();
    await conversation.say('EHLO localhost', /^250 /m);
    await conversation.say('MAIL FROM:<shop@example.org>');
    expect(await conversation.say(`RCPT TO:<${'a'.repeat(400)}@example.org>`)).toMatch(/^5/);
    for (let count = 0; count < 100; count++) await conversation.say(`RCPT TO:<r${count}@example.org>`);
    expect(await conversation.say('RCPT TO:<one-more@example.org>')).toMatch(/^452 /);
    conversation.socket.destroy();
    await conversation.ended;
    const many = await Promise.all(Array.from({ length: 12 }, () => converse(mailbox.servers.smtpPort)));
    const outcomes = await Promise.allSettled(many.map((each) => each.until(/\r\n$/)));
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(2);
    for (const { socket } of many) socket.destroy();
    await Promise.all(many.map(({ ended }) => ended));
  });

  it('keeps only the newest received mails, and those of the instance', async () => {
    await mailbox.keep({ recipient: 'ann@example.org', subject: 'own' });
    await mailbox.database.admin.query({
      text: `insert into greenroom.messages (channel, kind, recipient, subject, text_body, state, source, mail, created_at)
        select 'mail', 'received', 'x', n::text, '', 'kept', 'x', '{}', now() - n * interval '1 s'
        from generate_series(1, 600) n`,
    });
    const conversation = await beginMail();
    expect(await conversation.say('Subject: new\r\n\r\n.')).toMatch(/^250 /);
    conversation.socket.destroy();
    const kept = (await rows()).map(({ subject }) => subject);
    expect(kept).toHaveLength(501);
    expect(kept).toEqual(expect.arrayContaining(['own', 'new', '499']));
    expect(kept).not.toContain('500');
  });

  it('reports no errors for any of this', () => {
    expect(mailbox.errors).toEqual([]);
  });
});
