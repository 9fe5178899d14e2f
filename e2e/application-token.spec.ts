/**
 * Tokens of OAuth applications, and of admins who have not completed their second factor, open no page. The tests need
 * no browser.
 */
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { newPerson } from './support/person.ts';
import { codeOf } from './support/second-factor.ts';
import { readStatus } from './support/shared-instance.ts';

test.describe.configure({ mode: 'default' });

const CALLBACK = 'http://127.0.0.1:9/callback';
const COOKIE = 'sb-e2e-auth-token';

/** A session as the auth service returns it. */
interface Session {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  expires_at: number;
  user: { id: string };
}

let site: Instance;
let keys: Record<string, string>;
/** Email address of a user who has a message in the mailbox. */
let mailboxRecipient: string;

test.beforeAll(async () => {
  // Excludes /admin from the guard of all pages, so that these tests exercise only the guard of the admin area.
  site = await startFullInstance({
    GOTRUE_OAUTH_SERVER_ENABLED: 'true',
    GREENROOM_GUARD_EXCLUDE: '/admin*',
    GREENROOM_COOKIE_PREFIX: COOKIE,
  });
  keys = await readStatus(site.folder);
  const reader = newPerson();
  await call('POST', '/signup', undefined, reader);
  await call('POST', '/recover', undefined, { email: reader.email });
  mailboxRecipient = reader.email;
});
test.afterAll(() => endFullInstance(site));

async function call<T>(method: string, path: string, bearer?: string, body?: object): Promise<T> {
  const response = await fetch(`${site.url}/auth/v1${path}`, {
    method,
    redirect: 'manual',
    headers: {
      apikey: keys.ANON_KEY ?? '',
      origin: site.url,
      'content-type': 'application/json',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, text).toBeLessThan(400);
  return (text === '' ? { location: response.headers.get('location') } : JSON.parse(text)) as T;
}

const asService = <T>(method: string, path: string, body: object) =>
  call<T>(method, path, keys.SERVICE_ROLE_KEY, body);

/** Creates an admin and returns a new session. */
async function newAdmin(): Promise<Session> {
  const person = newPerson();
  const { user } = await call<Session>('POST', '/signup', undefined, person);
  await asService('PUT', `/admin/users/${user.id}`, { app_metadata: { role: 'admin' } });
  return call<Session>('POST', '/token?grant_type=password', undefined, person);
}

/** Authorizes a new OAuth application with the scope `email` and returns the application's session. */
async function applicationSession(person: Session): Promise<Session> {
  const { client_id } = await asService<{ client_id: string }>('POST', '/admin/oauth/clients', {
    client_name: 'Notes',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
  });
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    scope: 'email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const { location } = await call<{ location: string }>('GET', `/oauth/authorize?${query}`);
  const id = new URL(location).searchParams.get('authorization_id');
  await call('GET', `/oauth/authorizations/${id}`, person.access_token);
  const path = `/oauth/authorizations/${id}/consent`;
  const { redirect_url } = await call<{ redirect_url: string }>('POST', path, person.access_token, {
    action: 'approve',
  });
  const code = new URL(redirect_url).searchParams.get('code');
  const tokens = await call<Session>('POST', '/oauth/token', undefined, {
    grant_type: 'authorization_code',
    client_id,
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  });
  return { ...tokens, expires_at: Math.floor(Date.now() / 1000) + tokens.expires_in };
}

/** Requests a page with a session in the cookie, as a browser would send it. */
async function requestPage(session: Session, path: string, form?: Record<string, string>) {
  const cookie = `${COOKIE}=base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`;
  const response = await fetch(site.url + path, {
    redirect: 'manual',
    headers: { cookie, origin: site.url, accept: 'text/html' },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

/** Returns all paths at which a page or its data can be requested. */
const requestPathsOf = (path: string) => {
  const [page = '', query = ''] = path.split('?');
  const payload = page === '/' ? '/_payload.json' : `${page}/_payload.json`;
  const single = page === '/' ? '/_root.data' : `${page}.data`;
  const forms = [page, payload, single].map((form) => (query === '' ? form : `${form}?${query}`));
  return [...forms, `${single}?${query}&_routes=${ROUTES.get(page) ?? ''}`];
};
/** Route ids by page, with which single-fetch requests of React Router select one loader. */
const ROUTES = new Map([
  ['/admin', 'routes/admin'],
  ['/admin/users', 'routes/admin-users'],
  ['/admin/mailbox', 'routes/admin-mailbox'],
  ['/admin/mailbox/mail', 'routes/admin-mailbox-mail'],
]);
const MAIL = 'message=00000000-0000-4000-8000-000000000000';
const ADMIN_PAGES = [
  '/admin',
  '/admin/users',
  '/admin/mailbox',
  `/admin/mailbox?${MAIL}`,
  `/admin/mailbox/mail?${MAIL}`,
];

/** Returns whether access was denied. Data requests encode a redirect as 202 with the target in the body. */
function isRefused({ status, location, text }: Awaited<ReturnType<typeof requestPage>>): boolean {
  if (status === 302) return location?.startsWith('/login') ?? false;
  return status === 403 || status === 404 || (status === 202 && text.includes('/login'));
}

test('rejects the token of an OAuth application on every page', async () => {
  const person = await newAdmin();
  const application = await applicationSession(person);
  for (const page of ['/', '/account', '/account/export', ...ADMIN_PAGES].flatMap(requestPathsOf)) {
    const response = await requestPage(application, page);
    expect(isRefused(response), `${page}: ${response.status} ${response.location}`).toBe(true);
    expect(response.text, page).not.toContain(person.user.id);
    expect(response.text, page).not.toContain(mailboxRecipient);
  }
  for (const page of ['/', '/account', '/admin', '/admin/users', '/admin/mailbox']) {
    const response = await requestPage(application, page, { intent: 'clear' });
    expect(isRefused(response), `${page}: ${response.status} ${response.location}`).toBe(true);
  }
  const allowed = await requestPage(person, '/admin/mailbox/_payload.json');
  expect([allowed.status, allowed.text.includes(mailboxRecipient)]).toEqual([200, true]);
});

test('rejects every admin page and its data at aal1 if the admin has a verified factor', async () => {
  const person = await newAdmin();
  const aal1Session = await call<Session>('POST', '/token?grant_type=refresh_token', undefined, {
    refresh_token: person.refresh_token,
  });
  const factor = { factor_type: 'totp' };
  const { id, totp } = await call<{ id: string; totp: { secret: string } }>(
    'POST',
    '/factors',
    aal1Session.access_token,
    factor,
  );
  const challenge = await call<{ id: string }>(
    'POST',
    `/factors/${id}/challenge`,
    aal1Session.access_token,
    {},
  );
  const elevatedSession = await call<Session>('POST', `/factors/${id}/verify`, aal1Session.access_token, {
    challenge_id: challenge.id,
    code: codeOf(totp.secret, -1),
  });
  // The session is now at aal2, but its aal1 token has not expired.
  for (const page of ADMIN_PAGES.flatMap(requestPathsOf)) {
    const response = await requestPage(aal1Session, page);
    expect(isRefused(response), `${page}: ${response.status} ${response.location}`).toBe(true);
    expect(response.text, page).not.toContain(mailboxRecipient);
  }
  expect(isRefused(await requestPage(aal1Session, '/admin/mailbox', { intent: 'clear' }))).toBe(true);
  const allowed = await requestPage(elevatedSession, '/admin/mailbox/_payload.json');
  expect([allowed.status, allowed.text.includes(mailboxRecipient)]).toEqual([200, true]);
});
