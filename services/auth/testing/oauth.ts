/** OAuth applications, which users sign in to with their account, for tests. */
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type AdminCall, serviceOf } from './admin.ts';
import { type AuthServer, startAuthServer } from './auth-server.ts';
import type { Person } from './people.ts';
import { send, type TestResponse } from './scenario.ts';

/** Redirect URI of applications. No server listens there. */
export const CALLBACK = 'https://app.example/callback';

/** Additional fields of an application's request. */
export type Fields = Record<string, string>;

/** An application. `secret` is '' for a public client. */
export interface App {
  id: string;
  secret: string;
}

/** An issued authorization code and its verifier. */
interface Code {
  code: string;
  verifier: string;
}

/** Starts the service with an authorization server, and returns it with an admin key. */
export async function startOAuthServer(
  env: Record<string, string> = {},
  sharedWith?: Pick<AuthServer, 'database' | 'keys'>,
): Promise<AuthServer & { admin: AdminCall }> {
  const server = await startAuthServer({ GOTRUE_OAUTH_SERVER_ENABLED: 'true', ...env }, sharedWith);
  return Object.assign(server, { admin: (await serviceOf(server)).call });
}

/** Registers an application; default: a confidential one that authenticates by HTTP Basic. */
export async function newApp(server: { admin: AdminCall }, fields: object = {}): Promise<App> {
  const body = { client_name: 'App', redirect_uris: [CALLBACK], ...fields };
  const { status, json, text } = await server.admin('POST', '/admin/oauth/clients', body);
  expect(status, text).toBe(201);
  return { id: json.client_id, secret: json.client_secret ?? '' };
}

/** The S256 challenge of a verifier. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Opens the authorization endpoint as a user, without following the redirect. A field that is '' is omitted. */
export async function authorize(server: AuthServer, app: App, fields: Fields = {}): Promise<TestResponse> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.id,
    redirect_uri: CALLBACK,
    scope: 'openid email',
    code_challenge: challengeOf('v'.repeat(43)),
    code_challenge_method: 'S256',
    ...fields,
  });
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  return visit(`${server.url}/oauth/authorize?${query}`);
}

/** Opens a URL like a browser, without following redirects. */
export async function visit(url: string): Promise<TestResponse> {
  const response = await fetch(url, { redirect: 'manual' });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text && JSON.parse(text) };
}

/** The query parameters of the redirect's target. */
export function redirectQuery({ headers }: TestResponse): URLSearchParams {
  return new URL(headers.get('location') ?? '').searchParams;
}

/** Starts an authorization; returns its id. */
export async function requestAuthorization(
  server: AuthServer,
  app: App,
  fields: Fields = {},
): Promise<string> {
  const response = await authorize(server, app, fields);
  expect(response.status, response.text).toBe(302);
  const id = redirectQuery(response).get('authorization_id');
  return id ?? expect.fail(response.headers.get('location') ?? '');
}

/** Reads an authorization as a user. */
export function getAuthorization(
  server: AuthServer,
  id: string,
  { accessToken: bearer }: Person,
): Promise<TestResponse> {
  return send(server, { path: `/oauth/authorizations/${id}`, bearer });
}

/** Approves or denies an authorization. */
export function decide(
  server: AuthServer,
  id: string,
  { accessToken: bearer }: Person,
  action = 'approve',
): Promise<TestResponse> {
  return send(server, {
    method: 'POST',
    path: `/oauth/authorizations/${id}/consent`,
    bearer,
    body: { action },
  });
}

/** Starts, reads and approves an authorization. An earlier consent completes it immediately. */
export async function getCode(
  server: AuthServer,
  app: App,
  person: Person,
  fields: Fields = {},
): Promise<Code> {
  const verifier = randomBytes(32).toString('base64url');
  const id = await requestAuthorization(server, app, { code_challenge: challengeOf(verifier), ...fields });
  const authorization = await getAuthorization(server, id, person);
  expect(authorization.status, authorization.text).toBe(200);
  const { json, text } =
    'redirect_url' in authorization.json ? authorization : await decide(server, id, person);
  const code = new URL(json.redirect_url).searchParams.get('code');
  return { code: code ?? expect.fail(text), verifier };
}

/** Posts a form to the token endpoint. */
export function postForm(
  server: AuthServer,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

/** The header that authenticates a confidential application. */
export function basic({ id, secret }: App): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

/** Exchanges a code as its application. */
export function exchange(server: AuthServer, app: App, { code, verifier }: Code, fields: Fields = {}) {
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
    ...fields,
  };
  return asApp(server, app, form);
}

/** Refreshes a token as an application. */
export function refreshAs(server: AuthServer, app: App, refreshToken: string): Promise<TestResponse> {
  return asApp(server, app, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

/** Signs in to an application; returns the response with tokens. */
export async function signInTo(server: AuthServer, app: App, person: Person, fields: Fields = {}) {
  const response = await exchange(server, app, await getCode(server, app, person, fields));
  expect(response.status, response.text).toBe(200);
  return response.json as { access_token: string; refresh_token: string; id_token?: string; scope: string };
}

function asApp(server: AuthServer, app: App, form: Fields): Promise<TestResponse> {
  return app.secret === ''
    ? postForm(server, { client_id: app.id, ...form })
    : postForm(server, form, basic(app));
}
