/** Configured subjects and templates: their sources and variables. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ConfigSource, loadSettings } from '@greenroom/config';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MailData, Mailer } from '../contracts/mailer.ts';
import type { MailKind } from '../settings/mail.ts';
import { authSettings } from '../settings.ts';
import { createMailer } from './mailer.ts';

const BASE = { API_EXTERNAL_URL: 'https://api.example', SITE_URL: 'https://room.example' };

let folder: string;
/** Response of the template server; undefined: none. */
let reply: { status: number; body: string } | undefined;
let requests = 0;
let authorization: string | undefined;
const server = createServer((request, response) => {
  requests += 1;
  authorization = request.headers.authorization;
  if (reply) response.writeHead(reply.status, { connection: 'close' }).end(reply.body);
});
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-mail-'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mail.html`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  reply = { status: 200, body: '<p>theirs {{ .Token }}</p>' };
  requests = 0;
});

async function file(content: string, name = 'mail.html'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

interface Line {
  message: string;
  variable?: string;
  mail?: string;
  reason?: string;
}

/** A mailer and its log. */
function mailerOf(env: ConfigSource): { mailer: Mailer; logged: Line[] } {
  const logged: Line[] = [];
  const record = (details: object, message: string) => void logged.push({ ...details, message });
  return {
    mailer: createMailer(loadSettings(authSettings, { ...BASE, ...env }), { info: record, warn: record }),
    logged,
  };
}

const DATA: MailData = {
  to: 'ann@example.org',
  email: 'ann@example.org',
  token: '123456',
  tokenHash: 'abcdef',
  verificationType: 'signup',
  redirectTo: 'https://room.example/in?a=1&b=2',
  userMetadata: { name: 'Ann <b>', locale: 'de' },
};
const compose = (mailer: Mailer, changes: Partial<MailData> = {}, kind: MailKind = 'confirmation') =>
  mailer.compose(kind, { ...DATA, ...changes });

describe('a template', () => {
  const LINK =
    'https://api.example/auth/v1/verify?token=abcdef&type=signup&redirect_to=https%3A%2F%2Froom.example%2Fin%3Fa%3D1%26b%3D2';

  it.each<[string, Partial<MailData>, string]>([
    ['{{ .SiteURL }}', {}, 'https://room.example'],
    ['<a href="{{ .ConfirmationURL }}">x</a>', {}, `<a href="${LINK.replaceAll('&', '&amp;')}">x</a>`],
    ['{{ .Email }} {{ .SendingTo }}', { to: 'new@example.org' }, 'ann@example.org new@example.org'],
    ['{{ .NewEmail }}', { newEmail: 'new@example.org' }, 'new@example.org'],
    ['{{ .Token }} {{ .TokenHash }}', {}, '123456 abcdef'],
    ['{{ .Data.name }}{{ .Data.missing }}', {}, 'Ann &lt;b&gt;'],
    ['{{ .RedirectTo }}', {}, 'https://room.example/in?a=1&amp;b=2'],
    ['{{ .OldEmail }}', { oldEmail: 'old@example.org' }, 'old@example.org'],
    ['{{ .Phone }} {{ .OldPhone }}', { phone: '15550100', oldPhone: '15550101' }, '15550100 15550101'],
    ['{{ .Provider }} {{ .FactorType }}', { provider: 'github', factorType: 'totp' }, 'github totp'],
    ['[{{ .NewEmail }}{{ .Provider }}{{ .Anything }}]', {}, '[]'],
    ['{{ if eq .Data.locale "de" }}Hallo{{ else }}Hello{{ end }}', {}, 'Hallo'],
  ])('renders %s for %j as %s', async (template, changes, html) => {
    const { mailer } = mailerOf({ GOTRUE_MAILER_TEMPLATES_CONFIRMATION: await file(template) });
    expect(await compose(mailer, changes)).toMatchObject({
      html,
      kind: 'signup',
      recipient: changes.to ?? 'ann@example.org',
      subject: 'E-Mail-Adresse bestätigen',
      link: LINK,
    });
  });

  it('can be set for each kind of mail', async () => {
    const kinds = Object.keys(loadSettings(authSettings, {}).mail.overrides) as MailKind[];
    const env: Record<string, string> = {};
    for (const kind of kinds) {
      env[`GOTRUE_MAILER_SUBJECTS_${kind.toUpperCase()}`] = `${kind} for {{ .Email }}`;
      env[`GOTRUE_MAILER_TEMPLATES_${kind.toUpperCase()}`] = await file(`<p>${kind}</p>`, `${kind}.html`);
    }
    const { mailer } = mailerOf(env);
    expect(kinds).toHaveLength(13);
    for (const kind of kinds) {
      expect(await compose(mailer, {}, kind)).toMatchObject({
        subject: `${kind} for ann@example.org`,
        html: `<p>${kind}</p>`,
        text: `${kind}\n`,
      });
    }
  });

  it('is read from a path or a file URL', async () => {
    const path = await file('<p>by file</p>', 'with space.html');
    for (const location of [path, pathToFileURL(path).href]) {
      const { mailer } = mailerOf({ GOTRUE_MAILER_TEMPLATES_INVITE: location });
      expect((await compose(mailer, {}, 'invite')).html).toBe('<p>by file</p>');
    }
  });

  it('that renders too much text is replaced by the built-in mail', async () => {
    const path = await file('{{ range .Data.l }}{{ range $.Data.l }}x{{ end }}{{ end }}');
    const { mailer, logged } = mailerOf({ GOTRUE_MAILER_TEMPLATES_CONFIRMATION: path });
    const mail = await compose(mailer, { userMetadata: { l: Array(1000).fill(1) } });
    expect(mail.html).toContain('Confirm your email address');
    expect(logged).toMatchObject([
      { mail: 'confirmation', message: 'a mail template could not be filled: our own is used' },
    ]);
  });

  it('renders no text that the database cannot store', async () => {
    const { mailer } = mailerOf({ GOTRUE_MAILER_TEMPLATES_CONFIRMATION: await file('a\0b&#0;c') });
    expect(await compose(mailer)).toMatchObject({ html: 'ab&#0;c', text: 'ab&#0;c\n' });
  });
});

describe('a subject', () => {
  it.each([
    ['{{ .Token }} is your code', '123456 is your code'],
    ['Hi {{ .Data.name }}', 'Hi Ann <b>'],
    ['{{ println "a" }}Bcc: eve@example.org', 'a Bcc: eve@example.org'],
    [`{{ .Email }}${'x'.repeat(300)}`, `ann@example.org${'x'.repeat(240)}`],
  ])('%j renders as %j', async (subject, expected) => {
    const { mailer } = mailerOf({ GOTRUE_MAILER_SUBJECTS_CONFIRMATION: subject });
    const mail = await compose(mailer);
    expect(mail.subject).toBe(expected);
    expect(mail.text).toContain('Bestätigen Sie ann@example.org');
  });
});

describe('invalid settings', () => {
  it.each<[string, string, string]>([
    [
      'GOTRUE_MAILER_SUBJECTS_INVITE',
      '{{ .Email',
      'a template (line 1: an action that begins with {{ does not end)',
    ],
    ['GOTRUE_MAILER_TEMPLATES_INVITE', '/nowhere/mail.html', 'ENOENT'],
    ['GOTRUE_MAILER_TEMPLATES_INVITE', tmpdir(), 'a template ('],
    ['GOTRUE_MAILER_TEMPLATES_INVITE', 'ftp://example.org/x', 'an http, https or file URL, or the path'],
    ['GOTRUE_MAILER_TEMPLATES_INVITE', 'https://', 'an http, https or file URL, or the path'],
    ['GOTRUE_SMS_TEMPLATE', 'Your code', 'it does not contain {{ .Code }}'],
    ['GOTRUE_SMS_TEMPLATE', '{{ .Code', 'does not end'],
    ['GOTRUE_MFA_PHONE_TEMPLATE', '{{ if .Code }}', 'has no {{ end }}'],
    ['GOTRUE_MAILER_URLPATHS_INVITE', 'javascript:x', 'a path such as /auth/v1/verify'],
  ])('prevent the start: %s=%s', (name, value, problem) => {
    expect(() => mailerOf({ [name]: value })).toThrow(`${name}=${JSON.stringify(value)} is not allowed.`);
    expect(() => mailerOf({ [name]: value })).toThrow(problem);
  });

  it('are all reported together', async () => {
    const path = await file('\n<script>{{ .Token }}</script>');
    const env = { GOTRUE_MAILER_TEMPLATES_INVITE: path, GOTRUE_MAILER_SUBJECTS_RECOVERY: '{{ end }}' };
    expect(() => mailerOf(env)).toThrow('line 2: nothing can be written within <script>');
    expect(() => mailerOf(env)).toThrow('GOTRUE_MAILER_SUBJECTS_RECOVERY=');
    expect(() =>
      mailerOf({ GOTRUE_MAILER_TEMPLATES_INVITE: path, GOTRUE_MAILER_TEMPLATE_MAX_SIZE: '9' }),
    ).toThrow('it has more than 9 bytes');
  });
});

describe('a template with a URL', () => {
  const env = (more: ConfigSource = {}) => ({ GOTRUE_MAILER_TEMPLATES_CONFIRMATION: url, ...more });

  it('is fetched once before the start', async () => {
    const { mailer, logged } = mailerOf(env());
    expect((await compose(mailer)).html).toContain('Adresse bestätigen');
    await mailer.load();
    for (const _ of [1, 2, 3]) expect((await compose(mailer)).html).toBe('<p>theirs 123456</p>');
    expect([requests, logged]).toEqual([1, []]);
    mailer.close();
  });

  it.each([
    [{ status: 500, body: 'x' }, 'status 500'],
    [{ status: 404, body: '<p>theirs</p>' }, 'status 404'],
    [{ status: 200, body: 'x'.repeat(101) }, 'it has more than 100 bytes'],
    [{ status: 200, body: '\n\n{{ .Token' }, 'line 3: an action that begins with {{ does not end'],
    [{ status: 200, body: '<style>{{ .Token }}</style>' }, 'nothing can be written within <style>'],
  ])('is replaced by the built-in mail if the response is %j', async (answered, reason) => {
    reply = answered;
    const { mailer, logged } = mailerOf(env({ GOTRUE_MAILER_TEMPLATE_MAX_SIZE: '100' }));
    await mailer.load();
    expect((await compose(mailer)).html).toContain('Adresse bestätigen');
    expect(logged).toEqual([
      {
        variable: 'GOTRUE_MAILER_TEMPLATES_CONFIRMATION',
        reason: expect.stringContaining(reason),
        message: 'a mail template could not be loaded: our own is used',
      },
    ]);
    mailer.close();
  });

  it('may have credentials, which are never logged', async () => {
    reply = { status: 401, body: '' };
    const location = url.replace('//', '//ann:p%40ss@');
    const { mailer, logged } = mailerOf({ GOTRUE_MAILER_TEMPLATES_CONFIRMATION: location });
    await mailer.load();
    expect(authorization).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`);
    expect(logged).toMatchObject([{ reason: 'status 401' }]);
    expect(JSON.stringify(logged)).not.toContain('ss@');
    mailer.close();
  });

  it('is replaced by the built-in mail if no server listens', async () => {
    const { mailer, logged } = mailerOf({ GOTRUE_MAILER_TEMPLATES_CONFIRMATION: 'http://127.0.0.1:1/' });
    await mailer.load();
    expect((await compose(mailer)).html).toContain('Adresse bestätigen');
    expect(logged).toMatchObject([{ reason: expect.stringMatching(/fetch failed|bad port/) }]);
    mailer.close();
  });

  it('is fetched periodically; the last valid one stays, and only changes are logged', async () => {
    const { mailer, logged } = mailerOf(env({ GOTRUE_MAILER_TEMPLATE_MAX_AGE: '10ms' }));
    await mailer.load();
    const htmlIs = (html: string) => expect.poll(async () => (await compose(mailer)).html).toBe(html);
    reply = { status: 200, body: '<p>newer</p>' };
    await htmlIs('<p>newer</p>');
    reply = { status: 500, body: '' };
    const before = requests;
    await expect.poll(() => requests).toBeGreaterThan(before + 3);
    await htmlIs('<p>newer</p>');
    reply = { status: 200, body: '<p>newest</p>' };
    await htmlIs('<p>newest</p>');
    expect(logged.map(({ message }) => message)).toEqual([
      'a mail template could not be loaded: the one before is used',
      'a mail template can be loaded again',
    ]);
    mailer.close();
    const after = requests;
    await new Promise((done) => setTimeout(done, 50));
    expect(requests - after).toBeLessThan(2);
  });

  it('does not delay a mail, nor keep the process running', async () => {
    reply = undefined;
    const { mailer } = mailerOf(env());
    const loading = mailer.load();
    expect((await compose(mailer)).html).toContain('Adresse bestätigen');
    mailer.close();
    await loading;
  });
});

describe('an SMS', () => {
  it.each<[ConfigSource, string, string]>([
    [{}, 'Your code is 123456', 'Your code is 123456'],
    [{ GOTRUE_SMS_TEMPLATE: '{{.Code}} ist Ihr Code' }, '123456 ist Ihr Code', 'Your code is 123456'],
    [{ GOTRUE_MFA_PHONE_TEMPLATE: 'Factor {{- .Code }}' }, 'Your code is 123456', 'Factor123456'],
  ])('renders with %j', (env, code, factor) => {
    const { mailer } = mailerOf(env);
    expect([mailer.smsText('code', '123456'), mailer.smsText('factor', '123456')]).toEqual([code, factor]);
  });
});
