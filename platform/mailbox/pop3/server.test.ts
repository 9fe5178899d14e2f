/** POP3 over raw sockets. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Conversation, converse, startTestMailbox, type TestMailbox } from '../testing/mailbox.ts';

let mailbox: TestMailbox;
beforeAll(async () => {
  mailbox = await startTestMailbox();
});
afterAll(() => mailbox.close());
beforeEach(() => mailbox.database.admin.query({ text: 'delete from greenroom.messages' }));

/** The end of a reply with lines. */
const LINES = /\r\n\.\r\n$/;

async function greeted(): Promise<Conversation> {
  const conversation = await converse(mailbox.servers.pop3Port);
  expect(await conversation.until(/\r\n$/)).toBe('+OK Greenroom\r\n');
  return conversation;
}

async function loggedIn(): Promise<Conversation> {
  const conversation = await greeted();
  expect(await conversation.say('USER anyone')).toMatch(/^\+OK /);
  expect(await conversation.say('PASS anything at all')).toMatch(/^\+OK \d+ mails\r\n$/);
  return conversation;
}

describe('a session', () => {
  it('lists mails, oldest first, with their exact sizes and ids', async () => {
    const first = await mailbox.keep({ recipient: 'ann@example.org', subject: 'one', html: '<p>1</p>' });
    const second = await mailbox.keep({ recipient: 'bob@example.org', subject: 'two' });
    const pop = await loggedIn();
    expect(await pop.say('UIDL', LINES)).toBe(`+OK mails follow\r\n1 ${first}\r\n2 ${second}\r\n.\r\n`);
    expect(await pop.say('UIDL 2')).toBe(`+OK 2 ${second}\r\n`);
    const [, size = ''] = /^\+OK 1 (\d+)\r\n$/.exec(await pop.say('LIST 1')) ?? [];
    const reply = await pop.say('RETR 1', LINES);
    const source = reply.slice(reply.indexOf('\r\n') + 2, -'.\r\n'.length);
    expect(reply).toMatch(new RegExp(`^\\+OK ${size} octets\\r\\n`));
    expect(source).toHaveLength(Number(size));
    expect(source).toContain('Subject: one\r\n');
    const [, count, total] = /^\+OK (\d+) (\d+)\r\n$/.exec(await pop.say('STAT')) ?? [];
    expect([count, Number(total)]).toEqual(['2', expect.any(Number)]);
    expect(await pop.say('LIST', LINES)).toMatch(/^\+OK mails follow\r\n1 \d+\r\n2 \d+\r\n\.\r\n$/);
    expect(await pop.say('QUIT')).toBe('+OK bye\r\n');
    await pop.ended;
  });

  it('returns the first lines of a mail, with dots escaped', async () => {
    const smtp = await converse(mailbox.servers.smtpPort);
    await smtp.until(/\r\n$/);
    await smtp.say('EHLO localhost', /^250 /m);
    await smtp.say('MAIL FROM:<a@example.org>');
    await smtp.say('RCPT TO:<b@example.org>');
    await smtp.say('DATA');
    await smtp.say('Subject: x\r\n\r\none\r\n..two\r\nthree\r\n.');
    smtp.socket.destroy();
    const pop = await loggedIn();
    expect(await pop.say('TOP 1 2', LINES)).toBe(
      '+OK top of the mail\r\nSubject: x\r\n\r\none\r\n..two\r\n.\r\n',
    );
    expect(await pop.say('TOP 1 0', LINES)).toBe('+OK top of the mail\r\nSubject: x\r\n\r\n.\r\n');
    expect(await pop.say('TOP 1')).toMatch(/^-ERR /);
    pop.socket.destroy();
  });

  it('deletes marked mails with QUIT, and only then', async () => {
    await mailbox.keep({ recipient: 'ann@example.org' });
    await mailbox.keep({ recipient: 'bob@example.org' });
    const lost = await loggedIn();
    await lost.say('DELE 1');
    lost.socket.destroy();
    const reset = await loggedIn();
    await reset.say('DELE 1');
    expect(await reset.say('LIST 1')).toMatch(/^-ERR /);
    await reset.say('RSET');
    await reset.say('QUIT');
    const pop = await loggedIn();
    expect(await pop.say('DELE 1')).toMatch(/^\+OK/);
    expect(await pop.say('DELE 1')).toMatch(/^-ERR/);
    expect(await pop.say('STAT')).toMatch(/^\+OK 1 /);
    await pop.say('QUIT');
    const left = await mailbox.database.admin.query({ text: 'select recipient from greenroom.messages' });
    expect(left).toEqual([{ recipient: 'bob@example.org' }]);
  });

  it.each([
    ['STAT', '-ERR log in with USER and PASS first\r\n'],
    ['AUTH', '-ERR log in with USER and PASS first\r\n'],
    ['PASS x', '-ERR USER comes first\r\n'],
    ['', '-ERR log in with USER and PASS first\r\n'],
    ['capa', '+OK capabilities\r\nUSER\r\nTOP\r\nUIDL\r\nPIPELINING\r\nIMPLEMENTATION Greenroom\r\n.\r\n'],
  ])('before the login responds to %j', async (command, reply) => {
    const pop = await greeted();
    expect(await pop.say(command)).toBe(reply);
    pop.socket.destroy();
  });

  it.each([
    'RETR 1',
    'RETR',
    'RETR -1',
    'RETR 1e3',
    'RETR 99999999999999999999',
    'DELE 0',
    'TOP 1 1',
    'UIDL 7',
  ])('without mails rejects %s', async (command) => {
    const pop = await loggedIn();
    expect(await pop.say(command)).toBe('-ERR no such mail\r\n');
    pop.socket.destroy();
  });

  it('rejects unknown commands, also names of object members', async () => {
    const pop = await loggedIn();
    for (const command of ['XYZ', 'constructor', '__proto__', 'APOP a b']) {
      expect(await pop.say(command)).toBe('-ERR unknown command\r\n');
    }
    pop.socket.destroy();
  });

  it('handles pipelined commands in their order', async () => {
    await mailbox.keep({ recipient: 'ann@example.org' });
    const pop = await greeted();
    pop.socket.write('USER a\r\nPASS b\r\nNOOP\r\nDELE 1\r\nQUIT\r\n');
    expect(await pop.until(/bye\r\n$/)).toMatch(/^(\+OK [^\r]*\r\n){5}$/);
    await pop.ended;
  });
});

describe('the server', () => {
  it.each([
    ['an endless command', 'X'.repeat(100_000)],
    ['a long command', `${'X'.repeat(300)}\r\nNOOP\r\n`],
  ])('ends a session after %s', async (_, input) => {
    const pop = await loggedIn();
    pop.socket.write(input);
    expect(await pop.until(/\r\n$/)).toBe('-ERR the command is too long\r\n');
    await pop.ended;
  });

  it('ends a session that begins with an HTTP request', async () => {
    await mailbox.keep({ recipient: 'ann@example.org' });
    const url = `http://127.0.0.1:${mailbox.servers.pop3Port}`;
    const body = 'USER a\r\nPASS b\r\nDELE 1\r\nQUIT\r\n';
    await expect(fetch(url, { method: 'POST', body })).rejects.toThrow();
    const left = await mailbox.database.admin.query({ text: 'select recipient from greenroom.messages' });
    expect(left).toEqual([{ recipient: 'ann@example.org' }]);
  });

  it('limits connections', async () => {
    const many = await Promise.all(Array.from({ length: 12 }, () => converse(mailbox.servers.pop3Port)));
    const outcomes = await Promise.allSettled(many.map((each) => each.until(/\r\n$/)));
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(2);
    for (const { socket } of many) socket.destroy();
    await Promise.all(many.map(({ ended }) => ended));
  });

  it('reports no errors for any of this', () => {
    expect(mailbox.errors).toEqual([]);
  });
});
