/** Authorized recipients of mails, and targets of their links. */
import { loadSettings } from '@greenroom/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authSettings } from '../settings.ts';
import { serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { latestTo, messagesTo, openLink } from '../testing/mailbox.ts';
import { newEmail, PASSWORD, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';
import { isAuthorizedAddress } from './authorized.ts';
import { confirmationUrl, externalUrlOf } from './links.ts';

const ALLOWED = newEmail();
const OTHER = newEmail();
const ENV = {
  API_EXTERNAL_URL: 'https://api.example',
  GOTRUE_MAILER_AUTOCONFIRM: 'false',
  GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
  GOTRUE_RATE_LIMIT_EMAIL_SENT: '1000',
};

let strict: AuthServer;
let open: AuthServer;
let instant: AuthServer;
beforeAll(async () => {
  const authorized = `${ALLOWED.toUpperCase()}, bob@example.org`;
  strict = await startAuthServer({ ...ENV, GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES: authorized });
  instant = await startAuthServer(
    { GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES: authorized, GOTRUE_SMTP_MAX_FREQUENCY: '1ms' },
    strict,
  );
  open = await startAuthServer(
    {
      ...ENV,
      GOTRUE_MAILER_EXTERNAL_HOSTS: 'other.example,localhost',
      GOTRUE_MAILER_URLPATHS_RECOVERY: 'https://app.example/reset?x=1',
    },
    strict,
  );
});
afterAll(async () => {
  await open.close();
  await instant.close();
  await strict.close();
});

const post = (server: AuthServer, path: string, body: object, headers = {}) =>
  send(server, { method: 'POST', path, body, headers });

const MAILS: [string, (email: string) => object][] = [
  ['/signup', (email) => ({ email, password: PASSWORD })],
  ['/otp', (email) => ({ email })],
  ['/magiclink', (email) => ({ email })],
  ['/recover', (email) => ({ email })],
  ['/resend', (email) => ({ type: 'signup', email })],
];

describe.each(MAILS)('%s', (path, body) => {
  it('mails only authorized addresses, with and without an account', async () => {
    const known = await signUpPerson(instant, newEmail());
    const refused = await Promise.all([OTHER, known.email].map((email) => post(strict, path, body(email))));
    for (const [index, email] of [OTHER, known.email].entries()) {
      expect(refused[index]).toMatchObject({
        status: 400,
        json: {
          error_code: 'email_address_not_authorized',
          msg: `Email address "${email}" cannot be used as it is not authorized`,
        },
      });
      expect(await messagesTo(strict, email)).toEqual([]);
    }
    const label = ALLOWED.replace('@', `+${path.slice(1)}@`);
    expect((await post(strict, path, body(label))).status).toBe(200);
  });
});

it('an autoconfirmed account needs no mail', async () => {
  expect((await signUpPerson(instant)).id).toBeDefined();
});

it.each(['invite', 'a new address', 'reauthentication'])(
  '%s is rejected for an unauthorized address',
  async (name) => {
    const ann = await signUpPerson(instant);
    const { call } = await serviceOf(instant);
    const response =
      name === 'invite'
        ? await call('POST', '/invite', { email: OTHER })
        : name === 'reauthentication'
          ? await send(instant, { path: '/reauthenticate', bearer: ann.accessToken })
          : await send(instant, {
              method: 'PUT',
              path: '/user',
              bearer: ann.accessToken,
              body: { email: ALLOWED },
            });
    expect(response).toMatchObject({ status: 400, json: { error_code: 'email_address_not_authorized' } });
    expect(await messagesTo(strict, ann.email)).toEqual([]);
  },
);

it.each([
  ['ann@example.org', [], true],
  ['ann@example.org', ['ann@example.org'], true],
  ['Ann@Example.org', ['ann@example.org'], true],
  ['ann+a+b@example.org', ['ann@example.org'], true],
  ['ann@example.org.evil.example', ['ann@example.org'], false],
  ['xann@example.org', ['ann@example.org'], false],
  ['ann@evil.example+@example.org', ['ann@example.org'], false],
  ['', ['ann@example.org'], false],
])('authorizes %s with the list %j: %s', (address, authorizedAddresses, expected) => {
  expect(isAuthorizedAddress(address, { authorizedAddresses })).toBe(expected);
});

it('an invalid subject template stops the start', async () => {
  const starting = startAuthServer({ GOTRUE_MAILER_SUBJECTS_INVITE: '{{ if }}' }, strict);
  await expect(starting).rejects.toThrow('GOTRUE_MAILER_SUBJECTS_INVITE="{{ if }}" is not allowed.');
});

describe('a link', () => {
  const linkOf = (env: Record<string, string>, type: string) => {
    const auth = loadSettings(authSettings, { API_EXTERNAL_URL: 'https://api.example', ...env });
    const { externalUrl, mail } = auth;
    return confirmationUrl({ externalUrl, token: 't', type, redirectTo: 'https://r.example' }, mail);
  };
  const QUERY = '?token=t&type=TYPE&redirect_to=https%3A%2F%2Fr.example';

  it.each([
    ['signup', 'CONFIRMATION'],
    ['invite', 'INVITE'],
    ['recovery', 'RECOVERY'],
    ['magiclink', 'RECOVERY'],
    ['email_change', 'EMAIL_CHANGE'],
  ])('of %s has the path of %s', (type, name) => {
    const query = QUERY.replace('TYPE', type);
    const variable = `GOTRUE_MAILER_URLPATHS_${name}`;
    expect(linkOf({}, type)).toBe(`https://api.example/auth/v1/verify${query}`);
    expect(linkOf({ [variable]: '/go/here' }, type)).toBe(`https://api.example/go/here${query}`);
    expect(linkOf({ [variable]: 'https://app.example/x?y=1' }, type)).toBe(`https://app.example/x${query}`);
  });

  it.each([
    ['https://api.example/base', {}, 'https://api.example/base/auth/v1/verify'],
    [
      'https://api.example/base',
      { GOTRUE_MAILER_URLPATHS_INVITE: '/base/go' },
      'https://api.example/base/go',
    ],
    [
      'https://api.example/base',
      { GOTRUE_MAILER_URLPATHS_INVITE: '/based' },
      'https://api.example/base/based',
    ],
    [
      'https://api.example/base',
      { GOTRUE_MAILER_URLPATHS_INVITE: 'https://x.example/go' },
      'https://x.example/go',
    ],
  ])('of an API at %s with %j leads to %s', (url, env, link) => {
    expect(linkOf({ API_EXTERNAL_URL: url, ...env }, 'invite')).toBe(link + QUERY.replace('TYPE', 'invite'));
  });

  it('leads to its target in a mail and from an admin', async () => {
    const { email } = await signUpPerson(instant);
    await post(open, '/recover', { email });
    const { link, token } = await latestTo(open, email);
    expect(link).toMatch(/^https:\/\/app\.example\/reset\?token=/);
    const { call } = await serviceOf(open);
    const { json } = await call('POST', '/admin/generate_link', { type: 'recovery', email });
    expect(json.action_link).toMatch(/^https:\/\/app\.example\/reset\?token=/);
    expect(token).not.toBe('');
    expect((await openLink(open, json.action_link)).fragment).toHaveProperty('access_token');
  });

  it.each([
    [{}, 'https://api.example'],
    [{ 'x-forwarded-host': 'other.example' }, 'https://other.example'],
    [{ 'x-forwarded-host': 'evil.example' }, 'https://api.example'],
    [{ 'x-forwarded-host': 'other.example.evil.example' }, 'https://api.example'],
    [{ 'x-forwarded-host': 'localhost:3000' }, 'http://localhost'],
    [{ 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'https' }, 'https://localhost'],
  ])('of a request with %j begins with %s', async (headers, start) => {
    const email = newEmail();
    await post(open, '/signup', { email, password: PASSWORD }, headers);
    expect((await latestTo(open, email)).link).toMatch(new RegExp(`^${start}/auth/v1/verify\\?`));
  });

  it('never begins with a host that is not configured', () => {
    const auth = loadSettings(authSettings, { API_EXTERNAL_URL: 'https://api.example' });
    const header = () => 'other.example';
    expect(externalUrlOf(auth, { header })).toBe('https://api.example');
    const other = { ...auth, mail: { ...auth.mail, externalHosts: ['other.example'] } };
    const byHost = (name: string) => (name === 'host' ? 'other.example:443' : undefined);
    expect(externalUrlOf(other, { header: byHost })).toBe('https://other.example');
    const below = { ...other, externalUrl: 'https://api.example/base' };
    expect(externalUrlOf(below, { header: byHost })).toBe('https://other.example/base');
  });
});
