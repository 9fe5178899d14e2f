/** Templates for admins: access, the list, drafts in both languages, mistakes, and test sends. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAIL_KINDS } from '../settings/mail.ts';
import { type AdminCall, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: AuthServer;
let call: AdminCall;
beforeAll(async () => {
  server = await startAuthServer({
    SITE_URL: 'https://room.example',
    GOTRUE_MAILER_SUBJECTS_INVITE: 'Come in, {{ .Email }}',
  });
  ({ call } = await serviceOf(server));
});
afterAll(() => server.close());
beforeEach(() => server.database.admin.query({ text: 'delete from greenroom.messages' }));

describe('access to templates', () => {
  it.each([
    ['GET', '/admin/templates'],
    ['POST', '/admin/templates/preview'],
    ['POST', '/admin/templates/send'],
  ] as const)('%s %s is refused for users', async (method, path) => {
    const { accessToken: bearer } = await signUpPerson(server);
    const body = method === 'POST' ? { kind: 'invite', to: 'ann@example.org' } : undefined;
    expect((await send(server, { method, path, bearer, ...(body && { body }) })).status).toBe(403);
    expect((await send(server, { method, path, ...(body && { body }) })).status).toBe(401);
  });
});

describe('GET /admin/templates', () => {
  it('lists every mail and SMS with its configured text and its variables', async () => {
    const { json } = await call('GET', '/admin/templates');
    expect(json.templates.map((one: { kind: string }) => one.kind)).toEqual([
      ...MAIL_KINDS,
      'sms',
      'mfa_sms',
    ]);
    expect(json.templates.find((one: { kind: string }) => one.kind === 'invite')).toMatchObject({
      channel: 'mail',
      subject: 'Come in, {{ .Email }}',
      body: null,
      is_enabled: true,
      variables: expect.arrayContaining(['ConfirmationURL', 'Token', 'Email']),
    });
    expect(json.replaced_by_hook).toEqual({ mail: false, sms: false });
  });

  it('offers the built-in mails as templates that render the built-in mails', async () => {
    const { json } = await call('GET', '/admin/templates');
    for (const { kind, built_in } of json.templates.slice(0, MAIL_KINDS.length)) {
      const own = await call('POST', '/admin/templates/preview', { kind, subject: null, body: null });
      const { subject, html } = built_in.de;
      const drawn = await call('POST', '/admin/templates/preview', { kind, subject, body: html });
      expect(drawn.status, kind).toBe(200);
      if (!/factor/.test(kind)) expect(drawn.json.de.html, kind).toBe(own.json.de.html);
    }
  });
});

describe('POST /admin/templates/preview', () => {
  it('renders the built-in mail in both languages', async () => {
    const { json } = await call('POST', '/admin/templates/preview', {
      kind: 'recovery',
      subject: null,
      body: null,
    });
    expect(json.en).toMatchObject({
      subject: 'Reset your password',
      text: expect.stringContaining('123456'),
    });
    expect(json.de).toMatchObject({
      subject: 'Passwort zurücksetzen',
      html: expect.stringContaining('<html lang="de">'),
    });
  });

  it('renders a draft, and the configured subject if the draft has none', async () => {
    const body = '<p>{{ .Token }} <b>{{ .Data.name }}</b></p>';
    const { json } = await call('POST', '/admin/templates/preview', { kind: 'invite', body });
    expect(json.en).toEqual({
      subject: 'Come in, ada@example.org',
      html: '<p>123456 <b>Ada Lovelace</b></p>',
      text: '123456 Ada Lovelace\n',
    });
  });

  it.each([
    [{ kind: 'nothing' }, 'kind must be one of'],
    [{ kind: 'invite', body: '<p>{{ .Token </p>' }, /^body: /],
    [{ kind: 'invite', subject: '{{ if }}' }, /^subject: /],
    [{ kind: 'sms', body: 'no code' }, 'body: it does not contain {{ .Code }}'],
  ])('responds to %j with the mistake', async (body, message) => {
    const { status, json } = await call('POST', '/admin/templates/preview', body);
    expect([status, json.error_code]).toEqual([400, 'validation_failed']);
    expect(json.msg).toMatch(message);
  });
});

describe('POST /admin/templates/send', () => {
  it('puts a mail and an SMS into the outbox', async () => {
    const mail = { kind: 'recovery', to: 'Ann@Example.org', language: 'de', subject: 'Draft', body: null };
    const sms = { kind: 'sms', to: '+44 7700 900123', body: 'Code: {{ .Code }}' };
    expect((await call('POST', '/admin/templates/send', mail)).json).toEqual({ is_delivered: false });
    expect((await call('POST', '/admin/templates/send', sms)).status).toBe(200);
    const rows = await server.database.admin.query({
      text: 'select kind, channel, recipient, subject, link, text_body from greenroom.messages order by channel',
    });
    expect(rows).toEqual([
      expect.objectContaining({ kind: 'test', recipient: 'ann@example.org', subject: 'Draft', link: null }),
      expect.objectContaining({ channel: 'sms', recipient: '447700900123', text_body: 'Code: 123456' }),
    ]);
  });

  it('rejects a wrong address', async () => {
    const { status } = await call('POST', '/admin/templates/send', { kind: 'recovery', to: 'ann' });
    expect(status).toBe(400);
  });
});
