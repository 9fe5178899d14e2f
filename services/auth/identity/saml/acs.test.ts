/** Responses that the assertion consumer service rejects: each is correct except for one property. */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encrypt } from 'xml-encryption';
import { serviceOf } from '../../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import { newRsaKey, type ResponseFields } from '../../testing/identity-provider.ts';
import { claimsOf } from '../../testing/people.ts';
import { send } from '../../testing/scenario.ts';
import {
  ACS_URL,
  begin,
  ENTITY_ID,
  registerIdentityProvider,
  samlEnv,
  signInAt,
  submit,
  visit,
} from '../../testing/single-sign-on.ts';

const MINUTE = 60_000;
const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';

const env = samlEnv({ GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS: 'true' });
let server: AuthServer;
let corp: Awaited<ReturnType<typeof registerIdentityProvider>>;
let other: Awaited<ReturnType<typeof registerIdentityProvider>>;
beforeAll(async () => {
  server = await startAuthServer(env);
  corp = await registerIdentityProvider(server);
  other = await registerIdentityProvider(server);
});
afterAll(async () => {
  await Promise.all([corp.idp.close(), other.idp.close()]);
  await server.close();
});

const at = (ms: number) => new Date(Date.now() + ms);
const replaced = (from: string | RegExp, to: string) => (xml: string) => {
  const changed = xml.replace(from, to);
  expect(changed, String(from)).not.toBe(xml);
  return changed;
};

/** Splits a response into its assertion and the rest. */
function extractAssertion(xml: string): [assertion: string, rest: string] {
  const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml) ?? [];
  return [assertion, xml.replace(assertion, '')];
}

/** An unsigned assertion about another user. */
function forged(assertion: string): string {
  return assertion
    .replace(/<Signature.*<\/Signature>/s, '')
    .replace(/ ID="[^"]*"/, ` ID="_${randomUUID()}"`)
    .replaceAll('ann', 'boss');
}

/** Signature wrapping: the signed element is present, but another one stands in its place. */
const WRAPPINGS: Record<string, (xml: string) => string> = {
  'a forged assertion before the signed one': (xml) => {
    const [assertion] = extractAssertion(xml);
    return xml.replace(assertion, forged(assertion) + assertion);
  },
  'a forged assertion after the signed one': (xml) => {
    const [assertion] = extractAssertion(xml);
    return xml.replace(assertion, assertion + forged(assertion));
  },
  'the signed one in an extension': (xml) => {
    const [assertion] = extractAssertion(xml);
    const extensions = `<samlp:Extensions>${assertion}</samlp:Extensions>`;
    return xml.replace(assertion, forged(assertion)).replace('<samlp:Status>', `${extensions}<samlp:Status>`);
  },
  'the signed one inside of the forged one': (xml) => {
    const [assertion] = extractAssertion(xml);
    return xml.replace(
      assertion,
      forged(assertion).replace('</saml:Assertion>', `${assertion}</saml:Assertion>`),
    );
  },
  'the signature in the forged one, the signed one in an object of it': (xml) => {
    const [assertion] = extractAssertion(xml);
    const [signature = ''] = /<Signature.*<\/Signature>/s.exec(assertion) ?? [];
    const original = assertion.replace(signature, '');
    const wrapped = signature.replace('</Signature>', `<Object>${original}</Object></Signature>`);
    const fake = forged(assertion).replace('</saml:Issuer>', `</saml:Issuer>${wrapped}`);
    return xml.replace(assertion, fake);
  },
  'a forged one with the same id': (xml) => {
    const [assertion] = extractAssertion(xml);
    const [id = ''] = / ID="[^"]*"/.exec(assertion) ?? [];
    return xml.replace(assertion, forged(assertion).replace(/ ID="[^"]*"/, id) + assertion);
  },
  'a forged assertion of another namespace before it': (xml) => {
    const [assertion] = extractAssertion(xml);
    return xml.replace(assertion, `<Assertion xmlns="urn:x">${forged(assertion)}</Assertion>${assertion}`);
  },
};

describe('a response', () => {
  it.each<[string, ResponseFields, string]>([
    ['without a signature', { signs: 'nothing' }, 'validation_failed'],
    ['signed with another key', { key: newRsaKey() }, 'validation_failed'],
    [
      'changed after its assertion was signed',
      { after: replaced(/ann(?=<\/saml:NameID>)/, 'boss') },
      'validation_failed',
    ],
    [
      'changed after the whole response was signed',
      { signs: 'response', after: replaced(/ann(?=<\/saml:NameID>)/, 'boss') },
      'validation_failed',
    ],
    ['signed with SHA-1', { algorithm: RSA_SHA1 }, 'validation_failed'],
    ['with a digest of SHA-1', { digest: SHA1 }, 'validation_failed'],
    [
      'with HMAC as signature algorithm',
      { after: replaced('rsa-sha256"', 'hmac-sha256"') },
      'validation_failed',
    ],
    ['for another audience', { audience: 'https://other.example' }, 'validation_failed'],
    ['for no audience', { audience: '' }, 'validation_failed'],
    ['for another recipient', { recipient: 'https://other.example/acs' }, 'validation_failed'],
    ['with another destination', { destination: 'https://other.example/acs' }, 'validation_failed'],
    ['that has expired', { notBefore: at(-20 * MINUTE), notOnOrAfter: at(-4 * MINUTE) }, 'validation_failed'],
    ['that is too old', { issuedAt: at(-10 * MINUTE) }, 'validation_failed'],
    ['issued in the future', { issuedAt: at(10 * MINUTE) }, 'validation_failed'],
    [
      'that is not valid yet',
      { notBefore: at(10 * MINUTE), notOnOrAfter: at(20 * MINUTE) },
      'validation_failed',
    ],
    ['whose session has ended', { sessionNotOnOrAfter: at(-1000) }, 'validation_failed'],
    ['to another request', { inResponseTo: '_other' }, 'validation_failed'],
    ['to no request', { inResponseTo: undefined }, 'validation_failed'],
    ['of an unknown issuer', { issuer: 'https://unknown.example' }, 'validation_failed'],
    ['of another provider', { issuer: 'OTHER' }, 'validation_failed'],
    ['with an error status', { status: 'urn:oasis:names:tc:SAML:2.0:status:Requester' }, 'validation_failed'],
    [
      'with holder-of-key confirmation',
      { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' },
      'validation_failed',
    ],
    ['of SAML 1.1', { after: replaced('Version="2.0"', 'Version="1.1"') }, 'validation_failed'],
    [
      'with a transient name id',
      { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
      'saml_assertion_no_user_id',
    ],
    ['without a name id', { nameId: '' }, 'saml_assertion_no_user_id'],
    ['without an address', { attributes: {} }, 'saml_assertion_no_email'],
    ['with an invalid address', { attributes: { email: 'ann' } }, 'validation_failed'],
    [
      'with text that PostgreSQL cannot store',
      { nameId: 'x&#0;y', attributes: { email: 'x@corp.example' } },
      'validation_failed',
    ],
  ])('is rejected: %s', async (_, fields, code) => {
    const issuer = fields.issuer === 'OTHER' ? { issuer: other.idp.entityId } : {};
    const done = await signInAt(server, corp, { ...fields, ...issuer });
    expect([done.status, done.query.error_code, done.fragment]).toEqual([303, code, {}]);
    expect(done.location).toMatch(/^http:\/\/localhost:3000\/\?error=invalid_request&/);
  });

  it.each(Object.entries(WRAPPINGS))('is protected from signature wrapping: %s', async (_, after) => {
    for (const signs of ['assertion', 'response', 'both'] as const) {
      const done = await signInAt(server, corp, { nameId: 'ann', signs, after });
      expect([done.status, done.query.error_code], signs).toEqual([303, 'validation_failed']);
    }
  });

  it.each<[string, string]>([
    ['depth', `${'<a>'.repeat(30)}${'</a>'.repeat(30)}`.repeat(24)],
    ['namespaces', `${'<a xmlns:a="x" xmlns:b="y">'.repeat(30)}${'</a>'.repeat(30)}`.repeat(12)],
    ['attributes', `<a ${Array.from({ length: 99 }, (_, index) => `a${index}="1"`).join(' ')}/>`.repeat(18)],
    ['width', '<a/>'.repeat(700)],
  ])('is processed quickly at the limit of %s', async (_, much) => {
    const extensions = `<samlp:Extensions>${much}</samlp:Extensions><samlp:Status>`;
    for (const signs of ['assertion', 'response'] as const) {
      const begun = process.cpuUsage();
      const done = await signInAt(server, corp, { signs, after: replaced('<samlp:Status>', extensions) });
      expect(done.query.error_code).toBe(signs === 'assertion' ? undefined : 'validation_failed');
      // Measures processor time, which other load on the machine does not affect. It includes both client and
      // server.
      const { user, system } = process.cpuUsage(begun);
      expect((user + system) / 1000).toBeLessThan(1500);
    }
  });

  it.each<[string, string, string]>([
    ['depth', '<a>'.repeat(50) + '</a>'.repeat(50), 'is nested too deeply'],
    [
      'attributes',
      `<a ${Array.from({ length: 200 }, (_, index) => `a${index}="1"`).join(' ')}/>`,
      'attributes',
    ],
    ['width', '<a/>'.repeat(2100), 'elements'],
  ])('is rejected above the limit of %s', async (_, more, reason) => {
    const extensions = `<samlp:Extensions>${more}</samlp:Extensions><samlp:Status>`;
    const done = await signInAt(server, corp, { after: replaced('<samlp:Status>', extensions) });
    expect(done.query.error_description).toContain(reason);
  });

  it('with more claims than fit into a token is rejected', async () => {
    const long = await registerIdentityProvider(server, {
      attribute_mapping: { keys: { name: { name: 'name' } } },
    });
    const attributes = { email: 'a@corp.example', name: 'x'.repeat(40_000) };
    const done = await signInAt(server, long, { attributes });
    expect(done.query).toMatchObject({ error_code: 'validation_failed' });
    expect(done.query.error_description).toContain('32768 bytes');
    await long.idp.close();
  });

  it('is read with the whole name id if it contains a comment', async () => {
    const nameId = 'boss@corp.example<!-- -->.evil.example';
    const nameIdFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
    const done = await signInAt(server, corp, { nameId, nameIdFormat, attributes: {} });
    expect(claimsOf(done.fragment.access_token ?? '').email).toBe('boss@corp.example.evil.example');
  });

  it('ignores a comment added after signing', async () => {
    const after = replaced('ann@corp.example', 'ann@corp<!---->.example');
    const done = await signInAt(server, corp, { after });
    const { email } = claimsOf(done.fragment.access_token ?? '');
    expect(email).toBe('ann@corp.example');
  });
});

describe('replay protection', () => {
  it('rejects a second use of a form', async () => {
    corp.idp.responseFields = {};
    const form = await visit(await begin(server, { provider_id: corp.id }));
    expect((await submit(server, form)).status).toBe(302);
    const again = await submit(server, form);
    expect([again.status, again.query.error_code]).toEqual([303, 'saml_relay_state_not_found']);
  });

  it('accepts a form once if sent concurrently', async () => {
    const form = await visit(await begin(server, { provider_id: corp.id }));
    const all = await Promise.all(Array.from({ length: 10 }, () => submit(server, form)));
    expect(all.filter(({ status }) => status === 302)).toHaveLength(1);
  });

  it('accepts a provider-initiated response once', async () => {
    const SAMLResponse = await corp.idp.respond(ACS_URL, ENTITY_ID);
    const all = await Promise.all(
      Array.from({ length: 10 }, () => submit(server, new URLSearchParams({ SAMLResponse }))),
    );
    expect(all.filter(({ status }) => status === 302)).toHaveLength(1);
    const refused = all.find(({ status }) => status === 303);
    expect(refused?.query.error_description).toContain('used before');
  });

  it('rejects a response without its relay state', async () => {
    const form = await visit(await begin(server, { provider_id: corp.id }));
    form.delete('RelayState');
    expect((await submit(server, form)).query.error_code).toBe('validation_failed');
  });

  it('rejects a response with the relay state of another sign-in', async () => {
    const [one, two] = [
      await begin(server, { provider_id: corp.id }),
      await begin(server, { provider_id: corp.id }),
    ];
    const form = await visit(one);
    form.set('RelayState', (await visit(two)).get('RelayState') ?? '');
    expect((await submit(server, form)).query.error_code).toBe('validation_failed');
  });

  it('rejects an expired relay state', async () => {
    const form = await visit(await begin(server, { provider_id: corp.id }));
    await server.database.admin.query({
      text: `update auth.saml_relay_states set created_at = now() - interval '2 minutes' where id = $1`,
      values: [form.get('RelayState')],
    });
    expect((await submit(server, form)).query).toMatchObject({
      error: 'server_error',
      error_code: 'saml_relay_state_expired',
    });
    expect((await submit(server, form)).query.error_code).toBe('saml_relay_state_not_found');
  });
});

describe('a provider', () => {
  it('is authenticated by its key, not by its claimed issuer', async () => {
    const SAMLResponse = await other.idp.respond(ACS_URL, ENTITY_ID, { issuer: corp.idp.entityId });
    expect((await submit(server, new URLSearchParams({ SAMLResponse }))).query.error_code).toBe(
      'validation_failed',
    );
  });

  it('is rejected if it is unknown', async () => {
    const SAMLResponse = await corp.idp.respond(ACS_URL, ENTITY_ID, { issuer: 'https://unknown.example' });
    const done = await submit(server, new URLSearchParams({ SAMLResponse }));
    expect(done.query.error_code).toBe('saml_idp_not_found');
  });

  it('is rejected if disabled, before or during a sign-in', async () => {
    const { call } = await serviceOf(server);
    const off = await registerIdentityProvider(server);
    const form = await visit(await begin(server, { provider_id: off.id }));
    expect((await call('PUT', `/admin/sso/providers/${off.id}`, { disabled: true })).json.disabled).toBe(
      true,
    );
    expect((await submit(server, form)).query.error_code).toBe('sso_provider_disabled');
    const begun = await send(server, { method: 'POST', path: '/sso', body: { provider_id: off.id } });
    expect([begun.status, begun.json.error_code]).toEqual([404, 'sso_provider_disabled']);
    await off.idp.close();
  });

  it('is not found if deleted during a sign-in', async () => {
    const { call } = await serviceOf(server);
    const removed = await registerIdentityProvider(server);
    const form = await visit(await begin(server, { provider_id: removed.id }));
    expect((await call('DELETE', `/admin/sso/providers/${removed.id}`)).status).toBe(200);
    expect((await submit(server, form)).query.error_code).toBe('saml_relay_state_not_found');
    await removed.idp.close();
  });
});

describe('accounts', () => {
  it('of banned users cannot sign in', async () => {
    const { call } = await serviceOf(server);
    const { fragment } = await signInAt(server, corp, { nameId: 'bad' });
    const { sub } = claimsOf(fragment.access_token ?? '');
    await call('PUT', `/admin/users/${sub}`, { ban_duration: '1h' });
    expect((await signInAt(server, corp, { nameId: 'bad' })).query).toMatchObject({
      error: 'access_denied',
      error_code: 'user_banned',
    });
  });

  it('are not created if sign-up is disabled', async () => {
    const closed = await startAuthServer({ ...env, GOTRUE_DISABLE_SIGNUP: 'true' }, server);
    const done = await signInAt(closed, corp, { nameId: 'nobody-yet' });
    expect(done.query).toMatchObject({ error: 'access_denied', error_code: 'signup_disabled' });
    await closed.close();
  });

  it('cannot change values managed by their organisation', async () => {
    const { fragment } = await signInAt(server, corp, { nameId: 'managed' });
    const bearer = fragment.access_token;
    const response = await send(server, {
      method: 'PUT',
      path: '/user',
      bearer,
      body: { password: 'correct horse' },
    });
    expect([response.status, response.json.error_code]).toEqual([422, 'user_sso_managed']);
  });
});

describe('encryption', () => {
  const GCM = 'http://www.w3.org/2009/xmlenc11#aes256-gcm';
  const CBC = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc';
  const OAEP = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p';

  /** Encrypts with the key of the service provider metadata. */
  const encrypting =
    (encryptionAlgorithm: string, keyEncryptionAlgorithm: string) => async (assertion: string) => {
      const { text } = await send(server, { path: '/sso/saml/metadata' });
      const [, base64 = ''] = /use="encryption".*?<ds:X509Certificate>([^<]*)/s.exec(text) ?? [];
      const pem = `-----BEGIN CERTIFICATE-----\n${base64.replace(/\s/g, '').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----`;
      const options = {
        rsa_pub: pem,
        pem,
        encryptionAlgorithm,
        keyEncryptionAlgorithm,
        warnInsecureAlgorithm: false,
      };
      const data = await promisify(encrypt)(assertion, options as never);
      return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${data}</saml:EncryptedAssertion>`;
    };

  it.each([GCM, CBC])('is accepted in a signed response: %s', async (cipher) => {
    const done = await signInAt(server, corp, { signs: 'response', before: encrypting(cipher, OAEP) });
    expect([done.status, done.query]).toEqual([302, {}]);
  });

  it.each<[string, ResponseFields['signs'], string, string]>([
    ['if only the assertion is signed', 'assertion', GCM, OAEP],
    ['if nothing is signed', 'nothing', GCM, OAEP],
    ['with RSA PKCS#1 v1.5', 'response', GCM, 'http://www.w3.org/2001/04/xmlenc#rsa-1_5'],
    ['with 3DES', 'response', 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc', OAEP],
  ])('is rejected %s', async (_, signs, cipher, transport) => {
    const done = await signInAt(server, corp, {
      signs: signs ?? 'nothing',
      before: encrypting(cipher, transport),
    });
    expect([done.status, done.query.error_code]).toEqual([303, 'validation_failed']);
  });

  it('is rejected if disabled', async () => {
    const off = await startAuthServer({ ...env, GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS: 'false' }, server);
    const done = await signInAt(off, corp, { signs: 'response', before: encrypting(GCM, OAEP) });
    expect(done.query.error_code).toBe('validation_failed');
    await off.close();
  });
});

describe('a form', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const response = (inside: string) =>
    base64(
      `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" Version="2.0">${inside}</samlp:Response>`,
    );

  it.each<[string, string | Record<string, string>]>([
    ['that is empty', ''],
    ['that is JSON', '{"SAMLResponse":"x"}'],
    ['with an empty value', { SAMLResponse: '' }],
    ['without base64', { SAMLResponse: '<xml>' }],
    ['without XML', { SAMLResponse: base64('hello') }],
    ['with truncated XML', { SAMLResponse: base64('<a><b>') }],
    ['with XML of another kind', { SAMLResponse: base64('<a/>') }],
    ['with an empty response', { SAMLResponse: response('') }],
    ['with an artifact', { SAMLart: 'AAQAAA' }],
    ['with an invalid relay state', { SAMLResponse: response(''), RelayState: 'hello' }],
    ['with NUL', { SAMLResponse: base64('\0'), RelayState: '\0' }],
    [
      'with entities',
      { SAMLResponse: base64('<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a>&z;</a>') },
    ],
    ['with an external entity', { SAMLResponse: base64('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>') }],
    ['that nests deeply', { SAMLResponse: response(`${'<a>'.repeat(9000)}${'</a>'.repeat(9000)}`) }],
    ['that nests too deeply', { SAMLResponse: response('<a>'.repeat(50_000)) }],
    [
      'with many attributes',
      { SAMLResponse: response(`<a ${Array.from({ length: 9000 }, (_, i) => `a${i}="1"`).join(' ')}/>`) },
    ],
    [
      'with many namespaces',
      { SAMLResponse: response(Array.from({ length: 5000 }, (_, i) => `<a xmlns:a${i}="x">`).join('')) },
    ],
    ['with a long text', { SAMLResponse: response('x'.repeat(400_000)) }],
    ['with attributes without values', { SAMLResponse: response(`<a ${'b '.repeat(50_000)}/>`) }],
    ['with quotes that do not close', { SAMLResponse: response('<a b="'.repeat(20_000)) }],
  ])('%s is rejected quickly', async (_, form) => {
    const begun = performance.now();
    const done = await submit(server, typeof form === 'string' ? form : new URLSearchParams(form));
    expect(done.status, done.text).toBe(303);
    expect(['validation_failed', 'saml_idp_not_found']).toContain(done.query.error_code);
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  it('of more than 1 MiB is rejected', async () => {
    expect((await submit(server, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  });
});
