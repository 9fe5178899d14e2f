/** OAuth clients in the admin API: the official client's `auth.admin.oauth`, and rejected requests. */
import { randomUUID } from 'node:crypto';
import { createClient, type GoTrueAdminApi } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceOf } from '../testing/admin.ts';
import { CALLBACK, newApp, startOAuthServer } from '../testing/oauth.ts';
import { signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

let server: Awaited<ReturnType<typeof startOAuthServer>>;
let admin: GoTrueAdminApi;
beforeAll(async () => {
  server = await startOAuthServer();
  const { key } = await serviceOf(server);
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  admin = createClient(server.url.replace('/auth/v1', ''), key, options).auth.admin;
});
afterAll(() => server.close());

describe('the official client', () => {
  let id = '';
  let secret = '';
  const expected = {
    client_name: 'Notes',
    client_uri: 'https://app.example/',
    client_type: 'confidential',
    registration_type: 'manual',
    token_endpoint_auth_method: 'client_secret_basic',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    created_at: expect.any(String),
    updated_at: expect.any(String),
  };

  it('creates a client', async () => {
    const { data, error } = await admin.oauth.createClient({
      client_name: 'Notes',
      client_uri: 'https://app.example/',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'openid profile email',
    });
    expect(error).toBeNull();
    expect(data).toEqual({ ...expected, client_id: expect.any(String), client_secret: expect.any(String) });
    id = data?.client_id ?? '';
    secret = data?.client_secret ?? '';
  });

  it('reads a client', async () => {
    expect(await admin.oauth.getClient(id)).toEqual({ data: { ...expected, client_id: id }, error: null });
  });

  it('lists clients', async () => {
    const { data, error } = await admin.oauth.listClients();
    expect(error).toBeNull();
    expect(data.clients).toEqual([{ ...expected, client_id: id }]);
    expect(data).toMatchObject({ aud: 'authenticated', total: 1, nextPage: null, lastPage: 1 });
  });

  it('lists clients by page', async () => {
    const other = await newApp(server);
    const { data } = await admin.oauth.listClients({ page: 1, perPage: 1 });
    expect(data.clients.map((client) => client.client_id)).toEqual([other.id]);
    expect(data).toMatchObject({ total: 2, nextPage: 2, lastPage: 2 });
    await admin.oauth.deleteClient(other.id);
  });

  it('updates a client', async () => {
    const change = {
      client_name: 'Notes 2',
      client_uri: '',
      logo_uri: 'https://app.example/logo.png',
      redirect_uris: ['http://localhost:3000/cb', 'notes://cb'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_post' as const,
    };
    const { data, error } = await admin.oauth.updateClient(id, change);
    expect(error).toBeNull();
    const { client_uri: _, ...changed } = { ...expected, ...change };
    expect(data).toEqual({ ...changed, client_id: id });
    const one = await admin.oauth.updateClient(id, { client_name: 'Notes 3' });
    expect(one.data).toEqual({ ...changed, client_id: id, client_name: 'Notes 3' });
  });

  it('regenerates the secret of a client', async () => {
    const { data, error } = await admin.oauth.regenerateClientSecret(id);
    expect(error).toBeNull();
    expect(data).toMatchObject({ client_id: id, client_secret: expect.stringMatching(/^[\w-]{43}$/) });
    expect(data?.client_secret).not.toBe(secret);
    expect((await admin.oauth.getClient(id)).data).not.toHaveProperty('client_secret');
  });

  it('deletes a client', async () => {
    expect(await admin.oauth.deleteClient(id)).toEqual({ data: null, error: null });
    expect((await admin.oauth.getClient(id)).error?.code).toBe('oauth_client_not_found');
    expect((await admin.oauth.deleteClient(id)).error?.status).toBe(404);
  });

  it('lists no client after the deletion', async () => {
    const { data, error } = await admin.oauth.listClients();
    expect([error, data.clients]).toEqual([null, []]);
  });
});

describe('rejects', () => {
  it.each<[string, 'GET' | 'PUT' | 'DELETE' | 'POST', string, object | string | undefined, number, string]>([
    ['to read an unknown client', 'GET', `/${randomUUID()}`, undefined, 404, 'oauth_client_not_found'],
    ['to read an invalid id', 'GET', '/x', undefined, 400, 'validation_failed'],
    [
      'to change an unknown client',
      'PUT',
      `/${randomUUID()}`,
      { client_name: 'x' },
      404,
      'oauth_client_not_found',
    ],
    ['to delete an unknown client', 'DELETE', `/${randomUUID()}`, undefined, 404, 'oauth_client_not_found'],
    [
      'to replace the secret of an unknown client',
      'POST',
      `/${randomUUID()}/regenerate_secret`,
      undefined,
      404,
      'oauth_client_not_found',
    ],
    ['to create without redirect URIs', 'POST', '', { client_name: 'x' }, 400, 'validation_failed'],
    [
      'to create with plain http',
      'POST',
      '',
      { redirect_uris: ['http://x.example'] },
      400,
      'validation_failed',
    ],
    ['to create from an empty body', 'POST', '', '', 400, 'bad_json'],
    ['to create with a number as redirect URIs', 'POST', '', { redirect_uris: 1 }, 400, 'bad_json'],
    ['a page that is not a number', 'GET', '?page=x', undefined, 400, 'validation_failed'],
  ])('%s', async (_, method, path, body, status, code) => {
    const response = await server.admin(method, `/admin/oauth/clients${path}`, body);
    expect([response.status, response.json.error_code]).toEqual([status, code]);
  });

  it.each([
    [{}, 'No fields'],
    [{ client_type: 'public' }, 'No fields'],
    [{ token_endpoint_auth_method: 'none' }, 'confidential'],
    [{ token_endpoint_auth_method: 'x' }, 'must be one of'],
    [{ token_endpoint_auth_method: '' }, 'must be one of'],
    [{ redirect_uris: [] }, 'required'],
    [{ redirect_uris: ['https://x.example/#'] }, 'fragment'],
    [{ grant_types: [] }, 'grant_types'],
    [{ grant_types: ['password'] }, 'grant_types'],
    [{ client_name: 'x'.repeat(1025) }, 'client_name'],
    [{ client_uri: 'ftp://x.example' }, 'client_uri'],
    [{ logo_uri: 'x' }, 'logo_uri'],
  ])('the change %j', async (body, message) => {
    const { id } = await newApp(server);
    const { status, json } = await server.admin('PUT', `/admin/oauth/clients/${id}`, body);
    expect([status, json.error_code]).toEqual([400, 'validation_failed']);
    expect(json.msg).toContain(message);
  });

  it('to replace the secret of a public client', async () => {
    const { id } = await newApp(server, { client_type: 'public' });
    const { status, json } = await server.admin('POST', `/admin/oauth/clients/${id}/regenerate_secret`);
    expect([status, json.error_code]).toEqual([400, 'validation_failed']);
  });

  it.each(['GET', 'POST'] as const)('callers other than admins: %s', async (method) => {
    const { accessToken } = await signUpPerson(server);
    const call = { method, path: '/admin/oauth/clients', ...(method === 'POST' && { body: {} }) };
    expect((await send(server, call)).status).toBe(401);
    expect((await send(server, { ...call, bearer: accessToken })).json.error_code).toBe('not_admin');
  });
});

it('writes audit log entries', async () => {
  const { id } = await newApp(server);
  await server.admin('PUT', `/admin/oauth/clients/${id}`, { client_name: 'x' });
  await server.admin('DELETE', `/admin/oauth/clients/${id}`);
  const rows = await server.database.admin.query<{ action: string }>({
    text: `select payload ->> 'action' as action from auth.audit_log_entries
      where payload -> 'traits' ->> 'oauth_client_id' = $1 order by created_at`,
    values: [id],
  });
  expect(rows.map(({ action }) => action)).toEqual([
    'oauth_client_created',
    'oauth_client_updated',
    'oauth_client_deleted',
  ]);
});
