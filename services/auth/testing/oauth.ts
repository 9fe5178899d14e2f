/** Applications that people sign in to with their account here, for tests. */
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type AdminCall, serviceOf } from './admin.ts';
import { type AuthServer, startAuthServer } from './auth-server.ts';
import type { Person } from './people.ts';
import { type Answer, send } from './scenario.ts';

/** Where applications of tests are answered. Nothing listens there. */
export const CALLBACK = 'https://app.example/callback';

/** What an application sends besides what every test needs. */
export type Fields = Record<string, string>;

/** An application. `secret` is '' where it has none. */
export interface App {
  id: string;
  secret: string;
}

/** A code that was given out, and what proves whose it is. */
interface Code {
  code: string;
  verifier: string;
}

/** Starts the service with an authorization server, and with the key of an admin. */
export async function startOAuthServer(
  env: Record<string, string> = {},
  beside?: Pick<AuthServer, 'database' | 'keys'>,
): Promise<AuthServer & { admin: AdminCall }> {
  const server = await startAuthServer({ GOTRUE_OAUTH_SERVER_ENABLED: 'true', ...env }, beside);
  return Object.assign(server, { admin: (await serviceOf(server)).call });
}

/** Registers an application, by default a confidential one that sends its secret by HTTP Basic. */
export async function newApp(server: { admin: AdminCall }, fields: object = {}): Promise<App> {
  const body = { client_name: 'App', redirect_uris: [CALLBACK], ...fields };
  const { status, json, text } = await server.admin('POST', '/admin/oauth/clients', body);
  expect(status, text).toBe(201);
  return { id: json.client_id, secret: json.client_secret ?? '' };
}

/** The challenge of a verifier by S256. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Sends somebody to the authorization endpoint; does not follow where it leads. A field that is '' is left out. */
export async function authorize(server: AuthServer, app: App, fields: Fields = {}): Promise<Answer> {
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

/** Opens an address as a browser does, without following. */
export async function visit(url: string): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual' });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text && JSON.parse(text) };
}

/** The parameters of the address that an answer leads to. */
export function leadsTo({ headers }: Answer): URLSearchParams {
  return new URL(headers.get('location') ?? '').searchParams;
}

/** The id of a new request. */
export async function askFor(server: AuthServer, app: App, fields: Fields = {}): Promise<string> {
  const answer = await authorize(server, app, fields);
  expect(answer.status, answer.text).toBe(302);
  const id = leadsTo(answer).get('authorization_id');
  return id ?? expect.fail(answer.headers.get('location') ?? '');
}

/** Looks at a request as somebody. */
export function look(server: AuthServer, id: string, { accessToken: bearer }: Person): Promise<Answer> {
  return send(server, { path: `/oauth/authorizations/${id}`, bearer });
}

/** Says yes or no. */
export function decide(
  server: AuthServer,
  id: string,
  { accessToken: bearer }: Person,
  action = 'approve',
): Promise<Answer> {
  return send(server, {
    method: 'POST',
    path: `/oauth/authorizations/${id}/consent`,
    bearer,
    body: { action },
  });
}

/** Asks, looks and approves, or goes on at once where that was allowed before. */
export async function getCode(
  server: AuthServer,
  app: App,
  person: Person,
  fields: Fields = {},
): Promise<Code> {
  const verifier = randomBytes(32).toString('base64url');
  const id = await askFor(server, app, { code_challenge: challengeOf(verifier), ...fields });
  const seen = await look(server, id, person);
  expect(seen.status, seen.text).toBe(200);
  const { json, text } = 'redirect_url' in seen.json ? seen : await decide(server, id, person);
  const code = new URL(json.redirect_url).searchParams.get('code');
  return { code: code ?? expect.fail(text), verifier };
}

/** Calls the token endpoint with a form. */
export function postForm(
  server: AuthServer,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

/** The header by which a confidential application proves itself. */
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

/** Refreshes as an application. */
export function refreshAs(server: AuthServer, app: App, refreshToken: string): Promise<Answer> {
  return asApp(server, app, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

/** An answer with tokens. */
export async function signInTo(server: AuthServer, app: App, person: Person, fields: Fields = {}) {
  const answer = await exchange(server, app, await getCode(server, app, person, fields));
  expect(answer.status, answer.text).toBe(200);
  return answer.json as { access_token: string; refresh_token: string; id_token?: string; scope: string };
}

function asApp(server: AuthServer, app: App, form: Fields): Promise<Answer> {
  return app.secret === ''
    ? postForm(server, { client_id: app.id, ...form })
    : postForm(server, form, basic(app));
}
