/** The local mailbox of a whole instance: an end-to-end test of a project reads the code of a sign-up from it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';
import { type OfficialInstance, PASSWORD, startOfficialInstance } from './testing/official-instance.ts';

let instance: OfficialInstance;
let url: string;

beforeAll(async () => {
  instance = await startOfficialInstance({
    GOTRUE_MAILER_AUTOCONFIRM: 'false',
    GREENROOM_MAILBOX_ENABLED: 'true',
    GREENROOM_MAILBOX_PORT: '0',
    GREENROOM_MAILBOX_SMTP_PORT: '0',
    GREENROOM_MAILBOX_POP3_PORT: '0',
    GREENROOM_MAILBOX_ADMIN_EMAIL: 'hello@shop.example',
    GREENROOM_MAILBOX_SENDER_NAME: 'Shop',
  });
  url = instance.greenroom.mailbox?.url ?? '';
});
afterAll(() => instance.close());

interface Mail {
  ID: string;
  From: { Name: string; Address: string };
  Text: string;
  HTML: string;
}

async function newestTo(email: string): Promise<Mail> {
  const query = encodeURIComponent(`to:${email}`);
  const { messages } = (await (await fetch(`${url}/api/v1/search?query=${query}`)).json()) as {
    messages: Mail[];
  };
  return (await (await fetch(`${url}/api/v1/message/${messages[0]?.ID}`)).json()) as Mail;
}

describe('a test with the official client', () => {
  it('verifies a sign-up with the code of the mail', async () => {
    const { email } = instance.newPerson();
    const client = instance.newClient();
    const { data } = await client.auth.signUp({ email, password: PASSWORD });
    expect(data.session).toBeNull();
    const mail = await newestTo(email);
    expect(mail.From).toEqual({ Name: 'Shop', Address: 'hello@shop.example' });
    const [token = ''] = /\b\d{6}\b/.exec(mail.Text) ?? [];
    const verified = await client.auth.verifyOtp({ email, token, type: 'signup' });
    expect(verified.error).toBeNull();
    expect(verified.data.user?.email).toBe(email);
  });

  it('opens the link in the page of a mail', async () => {
    const { email } = instance.newPerson();
    await instance.newClient().auth.signInWithOtp({ email });
    const page = await fetch(`${url}/view/latest.html?query=${encodeURIComponent(`to:"${email}"`)}`);
    const [, link = ''] = /href="([^"]+\/auth\/v1\/verify[^"]+)"/.exec(await page.text()) ?? [];
    const response = await fetch(link.replaceAll('&amp;', '&'), { redirect: 'manual' });
    expect(response.headers.get('location')).toContain('#access_token=');
  });

  it('reads mails by the API of Inbucket', async () => {
    const { email } = instance.newPerson();
    await instance.newClient().auth.signInWithOtp({ email });
    const list = (await (await fetch(`${url}/api/v1/mailbox/${email}`)).json()) as { id: string }[];
    const path = `${url}/api/v1/mailbox/${email.split('@')[0]}/${list.at(-1)?.id}`;
    const { body } = (await (await fetch(path)).json()) as { body: { text: string } };
    expect(body.text).toMatch(/\b\d{6}\b/);
  });
});

it('redirects from its start to the page of the mailbox', async () => {
  const response = await fetch(url, { redirect: 'manual' });
  const { appUrl } = loadConfig(instance.source);
  expect(response.headers.get('location')).toBe(`${appUrl}/admin/mailbox`);
});

it('receives a mail by SMTP, and returns it by POP3', async () => {
  const { smtpPort, pop3Port } = instance.greenroom.mailbox ?? {};
  const { email } = instance.newPerson();
  await converse(smtpPort, [
    'HELO localhost',
    'MAIL FROM:<shop@shop.example>',
    `RCPT TO:<${email}>`,
    'DATA',
    `To: ${email}\r\nSubject: Your order\r\n\r\nOrder 4711\r\n.`,
    'QUIT',
  ]);
  expect((await newestTo(email)).Text).toContain('Order 4711');
  const login = ['USER any', 'PASS any'];
  const [, count = ''] = /^\+OK (\d+) mails/m.exec(await converse(pop3Port, [...login, 'QUIT'])) ?? [];
  const printed = await converse(pop3Port, [...login, `RETR ${count}`, 'QUIT']);
  expect(printed).toContain('Order 4711');
});

/** Sends each line after the response to the former one, and returns all responses. */
async function converse(port: number | undefined, lines: readonly string[]): Promise<string> {
  const socket = connect(port ?? 0, '127.0.0.1').setEncoding('utf8');
  let printed = '';
  for (const line of lines) {
    const [part] = await once(socket, 'data');
    printed += part;
    socket.write(`${line}\r\n`);
  }
  for await (const part of socket) printed += part;
  return printed;
}
