/** Notifications of changes: recipients, and conditions. Over HTTP and a real mail server. */

import { loadSettings } from '@greenroom/config';
import { createSmtpSender, startDelivery } from '@greenroom/messages';
import { startMailServer } from '@greenroom/messages/testing/mail-server';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authSettings } from '../settings.ts';
import { serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { latestTo, messagesTo, openLink } from '../testing/mailbox.ts';
import { newEmail, newPhone, PASSWORD, type Person, signUpPerson } from '../testing/people.ts';
import { authContext } from '../testing/request.ts';
import { type Call, send } from '../testing/scenario.ts';
import { createMailer } from './mailer.ts';
import { notifyIdentityLinked } from './notify.ts';

const COMMON = {
  SITE_URL: 'https://room.example',
  GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
  GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
};
const ALL = Object.fromEntries(
  [
    'PASSWORD_CHANGED',
    'EMAIL_CHANGED',
    'PHONE_CHANGED',
    'IDENTITY_LINKED',
    'IDENTITY_UNLINKED',
    'MFA_FACTOR_ENROLLED',
    'MFA_FACTOR_UNENROLLED',
  ].map((name) => [`GOTRUE_MAILER_NOTIFICATIONS_${name}_ENABLED`, 'true']),
);

let on: AuthServer;
let off: AuthServer;
let none: AuthServer;
beforeAll(async () => {
  on = await startAuthServer({ ...COMMON, ...ALL });
  off = await startAuthServer(COMMON, on);
  none = await startAuthServer({ ...COMMON, ...ALL, GOTRUE_RATE_LIMIT_EMAIL_SENT: '0' }, on);
});
afterAll(async () => {
  await none.close();
  await off.close();
  await on.close();
});

const call = (server: AuthServer, bearer: string, method: Call['method'], path: string, body?: object) =>
  send(server, { method: method ?? 'GET', path, bearer, ...(body && { body }) });

/** A user with a number and the locale German. */
async function person(server: AuthServer): Promise<Person & { phone: string }> {
  const ann = await signUpPerson(server);
  const phone = newPhone();
  const body = { phone, data: { locale: 'de-AT' } };
  expect((await call(server, ann.accessToken, 'PUT', '/user', body)).status).toBe(200);
  return { ...ann, phone };
}

/** Enrolls an app. Returns its id and the access token at aal2. */
async function enrollApp(server: AuthServer, { accessToken }: Person) {
  const { json } = await call(server, accessToken, 'POST', '/factors', { factor_type: 'totp' });
  const code = new TOTP({ secret: Secret.fromBase32(json.totp.secret) }).generate();
  const { json: challenge } = await call(server, accessToken, 'POST', `/factors/${json.id}/challenge`, {});
  const body = { challenge_id: challenge.id, code };
  const verified = await call(server, accessToken, 'POST', `/factors/${json.id}/verify`, body);
  expect(verified.status, verified.text).toBe(200);
  return { id: json.id as string, accessToken: verified.json.access_token as string };
}

type Change = (server: AuthServer, ann: Person & { phone: string }) => Promise<{ text: string[] }>;

const CHANGES: [string, string, Change][] = [
  [
    'password_changed_notification',
    'Ihr Passwort wurde geändert',
    async (server, ann) => {
      await call(server, ann.accessToken, 'PUT', '/user', { password: `${PASSWORD} new` });
      return {
        text: [`Ihres Kontos ${ann.email} bei room.example`, 'setzen Sie sofort Ihr Passwort zurück'],
      };
    },
  ],
  [
    'email_changed_notification',
    'Ihre E-Mail-Adresse wurde geändert',
    async (server, ann) => {
      const email = newEmail();
      await call(server, ann.accessToken, 'PUT', '/user', { email });
      const { fragment } = await openLink(server, (await latestTo(server, email)).link ?? '');
      expect(fragment).toHaveProperty('access_token');
      expect(await messagesTo(server, email)).toHaveLength(1);
      return { text: [`von ${ann.email} in ${email}`] };
    },
  ],
  [
    'phone_changed_notification',
    'Ihre Telefonnummer wurde geändert',
    async (server, ann) => {
      const phone = newPhone();
      await call(server, ann.accessToken, 'PUT', '/user', { phone });
      return { text: [`von +${ann.phone} in +${phone}`] };
    },
  ],
  [
    'identity_unlinked_notification',
    'Anmeldemethode entfernt',
    async (server, ann) => {
      const { json } = await call(server, ann.accessToken, 'GET', '/user');
      const phone = json.identities.find(({ provider }: { provider: string }) => provider === 'phone');
      await call(server, ann.accessToken, 'DELETE', `/user/identities/${phone.identity_id}`);
      return { text: ['nicht mehr mit phone anmelden'] };
    },
  ],
  [
    'mfa_factor_enrolled_notification',
    'Zweiter Faktor hinzugefügt',
    async (server, ann) => {
      await enrollApp(server, ann);
      return { text: ['ein zweiter Faktor hinzugefügt: Authenticator-App'] };
    },
  ],
  [
    'mfa_factor_unenrolled_notification',
    'Zweiter Faktor entfernt',
    async (server, ann) => {
      const { id, accessToken } = await enrollApp(server, ann);
      expect((await call(server, accessToken, 'DELETE', `/factors/${id}`)).status).toBe(200);
      return { text: ['ein zweiter Faktor entfernt: Authenticator-App'] };
    },
  ],
  [
    'mfa_factor_unenrolled_notification',
    'Zweiter Faktor entfernt',
    async (server, ann) => {
      const { id } = await enrollApp(server, ann);
      const admin = await serviceOf(server);
      expect((await admin.call('DELETE', `/admin/users/${ann.id}/factors/${id}`)).status).toBe(200);
      return { text: ['ein zweiter Faktor entfernt: Authenticator-App'] };
    },
  ],
];

const noticesTo = async (email: string) =>
  (await messagesTo(on, email)).filter(({ kind }) => kind.endsWith('_notification'));

describe.each(CHANGES)('%s', (kind, subject, change) => {
  it('is sent once to the previous address', async () => {
    const ann = await person(on);
    const { text } = await change(on, ann);
    const [notice, ...others] = (await noticesTo(ann.email)).filter((message) => message.kind === kind);
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ kind, subject, link: null, code: '' });
    for (const part of text) expect(notice?.text).toContain(part);
  });

  it('is disabled by default and without mail delivery', async () => {
    for (const server of [off, none]) {
      const ann = await person(server);
      if (server === none && kind.startsWith('email')) continue;
      await change(server, ann);
      expect(await noticesTo(ann.email)).toEqual([]);
    }
  });
});

describe('a security notification', () => {
  it.each<[string, (ann: Person) => Promise<{ status: number }>]>([
    ['a first phone number', (ann) => call(on, ann.accessToken, 'PUT', '/user', { phone: newPhone() })],
    ['a change of data', (ann) => call(on, ann.accessToken, 'PUT', '/user', { data: { a: 1 } })],
    ['a rejected password', (ann) => call(on, ann.accessToken, 'PUT', '/user', { password: PASSWORD })],
    [
      'an unverified factor',
      async (ann) => {
        const { json } = await call(on, ann.accessToken, 'POST', '/factors', { factor_type: 'totp' });
        return call(on, ann.accessToken, 'DELETE', `/factors/${json.id}`);
      },
    ],
  ])('is not sent for %s', async (_name, change) => {
    const ann = await signUpPerson(on);
    await change(ann);
    expect(await noticesTo(ann.email)).toEqual([]);
  });

  it('is not sent for a taken number', async () => {
    const [ann, bob] = [await person(on), await person(on)];
    const response = await call(on, ann.accessToken, 'PUT', '/user', { phone: bob.phone });
    expect(response.status).toBe(422);
    expect(await noticesTo(ann.email)).toEqual([]);
  });

  it('is not sent to a user without an address', async () => {
    const body = { phone: newPhone(), password: PASSWORD };
    const { json } = await send(on, { method: 'POST', path: '/signup', body });
    const changed = await call(on, json.access_token, 'PUT', '/user', { password: `${PASSWORD} new` });
    expect(changed.status).toBe(200);
  });
});

it('a second use of a factor sends no notification', async () => {
  const ann = await person(on);
  const { id } = await enrollApp(on, ann);
  const text = `select count(*)::int as times from greenroom.messages where recipient = $1 and kind like 'mfa%'`;
  const count = () => on.database.admin.query({ text, values: [ann.email] });
  expect(await count()).toEqual([{ times: 1 }]);
  await call(on, ann.accessToken, 'POST', `/factors/${id}/challenge`, {});
  expect(await count()).toEqual([{ times: 1 }]);
});

it('the notification of a linked identity can be planned', async () => {
  const config = loadSettings(authSettings, { ...COMMON, ...ALL });
  const context = authContext(on, { config, mailer: createMailer(config) });
  const email = newEmail();
  const owner = { email, phone: null, raw_user_meta_data: null };
  await on.database.auth.batch(await notifyIdentityLinked(context, owner, 'github'));
  expect(await latestTo(on, email)).toMatchObject({
    kind: 'identity_linked_notification',
    subject: 'A sign-in method was added',
    text: expect.stringContaining('at room.example with github'),
  });
});

it("a notification arrives by SMTP with the project's subject and template", async () => {
  const mails = await startMailServer();
  const templated = await startAuthServer(
    {
      ...COMMON,
      ...ALL,
      GOTRUE_MAILER_SUBJECTS_PASSWORD_CHANGED_NOTIFICATION: 'New password for {{ .Email }}',
      GOTRUE_MAILER_TEMPLATES_PASSWORD_CHANGED_NOTIFICATION: new URL('./testing/notice.html', import.meta.url)
        .href,
    },
    on,
    { sendsMail: true },
  );
  const sender = { name: 'Room', address: 'room@example.org' };
  const mail = createSmtpSender({ host: '127.0.0.1', port: mails.port, login: undefined, sender });
  const log = { info() {}, warn() {} };
  const delivery = startDelivery({ database: on.database.admin, mail, sms: undefined, log });
  const ann = await signUpPerson(templated);
  const body = { password: `${PASSWORD} new`, data: { name: '<Ann>' } };
  await call(templated, ann.accessToken, 'PUT', '/user', { data: body.data });
  await call(templated, ann.accessToken, 'PUT', '/user', { password: body.password });
  await delivery.run();
  expect(mails.arrived).toMatchObject([{ from: 'room@example.org', to: [ann.email] }]);
  const source = mails.arrived[0]?.source.replace(/=\r?\n/g, '').replace(/\r\n /g, ' ') ?? '';
  expect(source).toContain('From: Room <room@example.org>');
  expect(source).toContain(`Subject: New password for ${ann.email}`);
  expect(source).toContain('<h1>Dear &lt;Ann&gt;</h1>');
  expect(source).toContain('Dear <Ann>');
  await delivery.close();
  mail.close();
  await templated.close();
  await mails.stop();
});
