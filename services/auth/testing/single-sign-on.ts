/** Single sign-on from the view of a browser, for tests. */
import { expect } from 'vitest';
import { serviceOf } from './admin.ts';
import type { AuthServer } from './auth-server.ts';
import type { TestIdentityProvider } from './identity-provider.ts';
import { newRsaKey, startIdentityProvider } from './identity-provider.ts';
import { send, type TestResponse } from './scenario.ts';

/** Settings that enable SAML and set its key and URL. */
export const samlEnv = (fields: Record<string, string> = {}) => ({
  GOTRUE_SAML_ENABLED: 'true',
  GOTRUE_SAML_PRIVATE_KEY: newRsaKey().export({ type: 'pkcs1', format: 'der' }).toString('base64'),
  GOTRUE_SAML_EXTERNAL_URL: 'http://service.test/auth/v1',
  SITE_URL: 'http://localhost:3000',
  ...fields,
});

/** Entity id of the service in {@link samlEnv}. */
export const ENTITY_ID = 'http://service.test/auth/v1/sso/saml/metadata';
/** Assertion consumer URL of the service in {@link samlEnv}. */
export const ACS_URL = 'http://service.test/auth/v1/sso/saml/acs';

/** Starts an identity provider and registers it; returns it with its id. */
export async function registerIdentityProvider(server: AuthServer, fields: object = {}) {
  const idp = await startIdentityProvider(`${server.url}/sso/saml/metadata`);
  const { call } = await serviceOf(server);
  const body = { type: 'saml', metadata_xml: idp.metadata, ...fields };
  const { status, json, text } = await call('POST', '/admin/sso/providers', body);
  expect(status, text).toBe(201);
  return { idp, id: json.id as string };
}

/** Starts a sign-in; returns the URL of the identity provider. */
export async function begin(server: AuthServer, body: object): Promise<string> {
  const begun = await send(server, {
    method: 'POST',
    path: '/sso',
    body: { skip_http_redirect: true, ...body },
  });
  expect(begun.status, begun.text).toBe(200);
  return begun.json.url;
}

/** The form that the identity provider's page would submit. */
export async function visit(url: string): Promise<URLSearchParams> {
  const page = await fetch(url);
  const html = await page.text();
  expect(page.status, html).toBe(200);
  const inputs = html.matchAll(/name="(\w+)" value="([^"]*)"/g);
  return new URLSearchParams([...inputs].map(([, name = '', value = '']) => [name, value]));
}

/** Submits a form to the service, without following the redirect. */
export async function submit(server: AuthServer, form: URLSearchParams | string) {
  const response = await fetch(`${server.url}/sso/saml/acs`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(form),
  });
  const location = response.headers.get('location') ?? '';
  const url = location === '' ? undefined : new URL(location);
  return {
    status: response.status,
    headers: response.headers,
    location,
    text: await response.text(),
    query: Object.fromEntries(url?.searchParams ?? []),
    fragment: Object.fromEntries(new URLSearchParams(url?.hash.slice(1))),
  };
}

/** Performs a complete sign-in, from the button to the app. */
export async function signInAt(
  server: AuthServer,
  { idp, id }: { idp: TestIdentityProvider; id: string },
  responseFields: TestIdentityProvider['responseFields'] = {},
  body: object = {},
) {
  idp.responseFields = responseFields;
  return submit(server, await visit(await begin(server, { provider_id: id, ...body })));
}

/** The user of an access token. */
export async function userOf(
  server: AuthServer,
  accessToken: string | undefined,
): Promise<TestResponse['json']> {
  const { status, json, text } = await send(server, { path: '/user', bearer: accessToken });
  expect(status, text).toBe(200);
  return json;
}
