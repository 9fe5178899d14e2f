import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../identity/saml/certificate.ts';
import { type AdminCall, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { metadataOf, newRsaKey } from '../testing/identity-provider.ts';
import { signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

const certificate = selfSignedCertificate(newRsaKey(), 'idp.test');
const SIGN_IN = 'https://idp.test/sso';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

let server: AuthServer;
let call: AdminCall;
beforeAll(async () => {
  server = await startAuthServer();
  call = (await serviceOf(server)).call;
});
afterAll(() => server.close());

const newEntity = () => `https://idp.test/${randomUUID()}`;
const newDomain = () => `${randomUUID()}.example`;
const bodyOf = (entityId = newEntity(), fields: object = {}) => ({
  type: 'saml',
  metadata_xml: metadataOf(entityId, SIGN_IN, certificate),
  ...fields,
});
const create = async (fields: object = {}, entityId = newEntity()) => {
  const { status, json, text } = await call('POST', '/admin/sso/providers', bodyOf(entityId, fields));
  expect(status, text).toBe(201);
  return json;
};

describe('a provider', () => {
  it('is created with all fields, even if SAML is disabled', async () => {
    const entityId = newEntity();
    const [domain, resource] = [newDomain(), `r-${randomUUID()}`];
    const attribute_mapping = { keys: { role: { name: 'role', names: ['r'], default: 'x', array: true } } };
    const created = await create(
      {
        domains: [domain.toUpperCase(), domain],
        attribute_mapping,
        name_id_format: TRANSIENT,
        resource_id: resource,
        disabled: true,
      },
      entityId,
    );
    expect(created).toEqual({
      id: expect.any(String),
      resource_id: resource,
      disabled: true,
      saml: {
        entity_id: entityId,
        metadata_xml: metadataOf(entityId, SIGN_IN, certificate),
        attribute_mapping,
        name_id_format: TRANSIENT,
      },
      domains: [{ domain }],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    for (const key of [
      created.id,
      created.id.toUpperCase(),
      `resource_${resource}`,
      `resource_${resource.toUpperCase()}`,
    ]) {
      expect((await call('GET', `/admin/sso/providers/${key}`)).json).toEqual(created);
    }
  });

  it('is created with the required fields', async () => {
    const created = await create();
    expect(created).toMatchObject({ disabled: false, domains: [], saml: { attribute_mapping: {} } });
    expect(created).not.toHaveProperty('resource_id');
  });

  it('is listed without its metadata, all or by resource id', async () => {
    const prefix = randomUUID();
    const created = await create({ resource_id: `${prefix}/a` });
    await create({ resource_id: `${prefix}/b` });
    const list = async (query: string) => (await call('GET', `/admin/sso/providers?${query}`)).json.items;
    expect((await list('')).length).toBeGreaterThan(2);
    expect(await list(`resource_id_prefix=${prefix}`)).toHaveLength(2);
    const { metadata_xml, ...saml } = created.saml;
    expect(await list(`resource_id=${prefix}/a`)).toEqual([{ ...created, saml }]);
    expect(await list('resource_id_prefix=%25')).toEqual([]);
  });

  it('is changed only in the fields of the body', async () => {
    const entityId = newEntity();
    const [retained, dropped, added] = [newDomain(), newDomain(), newDomain()];
    const attribute_mapping = { keys: { a: { name: 'a' } } };
    const created = await create(
      { domains: [retained, dropped], attribute_mapping, name_id_format: TRANSIENT },
      entityId,
    );
    const path = `/admin/sso/providers/${created.id}`;
    const put = async (fields: object) => (await call('PUT', path, fields)).json;
    expect(await put({})).toEqual({ ...created, updated_at: expect.any(String) });
    expect((await put({ domains: [retained, added] })).domains).toEqual(
      [retained, added].sort().map((domain) => ({ domain })),
    );
    expect((await put({ domains: [] })).domains).toEqual([]);
    expect((await put({ disabled: true })).disabled).toBe(true);
    expect((await put({ disabled: false })).disabled).toBe(false);
    expect((await put({ name_id_format: '' })).saml).not.toHaveProperty('name_id_format');
    expect((await put({ attribute_mapping: { keys: {} } })).saml.attribute_mapping).toEqual({ keys: {} });
    const metadata_xml = metadataOf(entityId, 'https://idp.test/elsewhere', certificate);
    expect((await put({ metadata_xml })).saml.metadata_xml).toBe(metadata_xml);
    expect((await call('GET', path)).json.saml).toEqual({
      entity_id: entityId,
      metadata_xml,
      attribute_mapping: { keys: {} },
    });
  });

  it('is deleted with its domains, and returned', async () => {
    const domain = newDomain();
    const created = await create({ domains: [domain] });
    const path = `/admin/sso/providers/${created.id}`;
    const deleted = await call('DELETE', path);
    expect([deleted.status, deleted.json]).toEqual([200, created]);
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const { status, json } = await call(method, path, method === 'PUT' ? {} : undefined);
      expect([status, json.error_code], method).toEqual([404, 'sso_provider_not_found']);
    }
    await create({ domains: [domain] });
  });
});

describe('rejects', () => {
  const small = selfSignedCertificate(newRsaKey(1024), 'idp.test');
  const metadata = (entityId: string) => metadataOf(entityId, SIGN_IN, certificate);

  it.each<[string, object | string, number, string]>([
    ['no body', '', 400, 'bad_json'],
    ['no type', { type: undefined }, 400, 'validation_failed'],
    ['another type', { type: 'oidc' }, 400, 'validation_failed'],
    ['no metadata', { metadata_xml: undefined }, 400, 'validation_failed'],
    ['two kinds of metadata', { metadata_url: 'https://idp.test/' }, 400, 'validation_failed'],
    ['metadata that are not XML', { metadata_xml: 'hello' }, 400, 'validation_failed'],
    ['metadata with entities', { metadata_xml: `<!DOCTYPE x>${metadata('x')}` }, 400, 'validation_failed'],
    ['metadata without an entity id', { metadata_xml: metadata('') }, 400, 'validation_failed'],
    [
      'metadata with a long entity id',
      { metadata_xml: metadata('x'.repeat(2000)) },
      400,
      'validation_failed',
    ],
    [
      'metadata of a service provider',
      { metadata_xml: metadata('x').replaceAll('IDPSSODescriptor', 'SPSSODescriptor') },
      400,
      'validation_failed',
    ],
    [
      'metadata of another namespace',
      { metadata_xml: metadata('x').replace('urn:oasis:names:tc:SAML:2.0:metadata', 'urn:x') },
      400,
      'validation_failed',
    ],
    [
      'metadata without a certificate',
      { metadata_xml: metadata('x').replace(/<ds:X509Cert.*?\/ds:X509Certificate>/s, '') },
      400,
      'validation_failed',
    ],
    [
      'metadata with a short key',
      { metadata_xml: metadataOf('x', SIGN_IN, small) },
      400,
      'validation_failed',
    ],
    [
      'metadata with a script URL',
      { metadata_xml: metadataOf('x', 'javascript:alert(1)', certificate) },
      400,
      'validation_failed',
    ],
    ['metadata that are too long', { metadata_xml: 'x'.repeat(600_000) }, 400, 'validation_failed'],
    ['an http URL', { metadata_xml: '', metadata_url: 'http://idp.test/' }, 400, 'validation_failed'],
    [
      'a URL with a password',
      { metadata_xml: '', metadata_url: 'https://a:b@idp.test/' },
      400,
      'validation_failed',
    ],
    ['a file URL', { metadata_xml: '', metadata_url: 'file:///etc/passwd' }, 400, 'validation_failed'],
    ['a text that is not a URL', { metadata_xml: '', metadata_url: 'hello' }, 400, 'validation_failed'],
    [
      'a loopback IP address',
      { metadata_xml: '', metadata_url: 'https://127.0.0.1/' },
      400,
      'saml_metadata_fetch_failed',
    ],
    [
      'a loopback name',
      { metadata_xml: '', metadata_url: 'https://localhost/' },
      400,
      'saml_metadata_fetch_failed',
    ],
    [
      'a loopback IPv6 address',
      { metadata_xml: '', metadata_url: 'https://[::1]/' },
      400,
      'saml_metadata_fetch_failed',
    ],
    [
      'a disguised loopback address',
      { metadata_xml: '', metadata_url: 'https://0x7f.1/' },
      400,
      'saml_metadata_fetch_failed',
    ],
    [
      'a link-local address',
      { metadata_xml: '', metadata_url: 'https://169.254.169.254/latest' },
      400,
      'saml_metadata_fetch_failed',
    ],
    ['an invalid domain', { domains: ['not a domain'] }, 400, 'validation_failed'],
    ['an empty domain', { domains: [''] }, 400, 'validation_failed'],
    ['a domain instead of a list', { domains: 'corp.example' }, 400, 'bad_json'],
    [
      'too many domains',
      { domains: Array.from({ length: 201 }, (_, index) => `d${index}.example`) },
      400,
      'validation_failed',
    ],
    ['an unsupported name ID format', { name_id_format: 'x' }, 400, 'validation_failed'],
    ['an invalid mapping', { attribute_mapping: { keys: { a: 'b' } } }, 400, 'validation_failed'],
    [
      'a mapping that is too large',
      { attribute_mapping: { keys: { a: { default: 'x'.repeat(40_000) } } } },
      400,
      'validation_failed',
    ],
    ['an empty name', { resource_id: '' }, 400, 'validation_failed'],
    ['a name with NUL', { resource_id: 'a\0' }, 400, 'validation_failed'],
  ])('%s', async (_, fields, status, code) => {
    const body = typeof fields === 'string' ? fields : bodyOf(newEntity(), fields);
    const response = await call('POST', '/admin/sso/providers', body);
    expect([response.status, response.json.error_code], response.text).toEqual([status, code]);
  });

  it('a taken entity id, domain and resource id', async () => {
    const [entityId, domain, resource_id] = [newEntity(), newDomain(), randomUUID()];
    const conflict = await create({ domains: [domain], resource_id }, entityId);
    const refusal = async (entity: string, fields: object) => {
      const { status, json } = await call('POST', '/admin/sso/providers', bodyOf(entity, fields));
      return [status, json.error_code];
    };
    expect(await refusal(entityId, {})).toEqual([422, 'saml_idp_already_exists']);
    expect(await refusal(newEntity(), { domains: [domain.toUpperCase()] })).toEqual([
      400,
      'sso_domain_already_exists',
    ]);
    expect(await refusal(newEntity(), { resource_id })).toEqual([422, 'conflict']);
    const other = await create();
    const change = await call('PUT', `/admin/sso/providers/${other.id}`, { domains: [newDomain(), domain] });
    expect([change.status, change.json.error_code]).toEqual([400, 'sso_domain_already_exists']);
    expect((await call('GET', `/admin/sso/providers/${other.id}`)).json.domains).toEqual([]);
    const metadata_xml = metadata(entityId);
    const moved = await call('PUT', `/admin/sso/providers/${other.id}`, { metadata_xml });
    expect([moved.status, moved.json.error_code]).toEqual([400, 'saml_entity_id_mismatch']);
    expect((await call('GET', `/admin/sso/providers/${conflict.id}`)).json).toEqual(conflict);
  });

  it.each(['hello', 'resource_', 'resource_nothing', 'resource_%00', randomUUID(), '%E0%A4%A'])(
    'the unknown name %s',
    async (key) => {
      const { status } = await call('GET', `/admin/sso/providers/${key}`);
      expect([400, 404]).toContain(status);
    },
  );

  it('a filter with NUL', async () => {
    expect((await call('GET', '/admin/sso/providers?resource_id=%00')).status).toBe(400);
  });

  it.each<['GET' | 'POST' | 'PUT' | 'DELETE', string]>([
    ['GET', '/admin/sso/providers'],
    ['POST', '/admin/sso/providers'],
    ['GET', `/admin/sso/providers/${randomUUID()}`],
    ['PUT', `/admin/sso/providers/${randomUUID()}`],
    ['DELETE', `/admin/sso/providers/${randomUUID()}`],
  ])('%s %s from callers other than admins', async (method, path) => {
    const { accessToken } = await signUpPerson(server);
    expect((await send(server, { method, path })).json.error_code).toBe('no_authorization');
    expect((await send(server, { method, path, bearer: accessToken })).json.error_code).toBe('not_admin');
  });
});
