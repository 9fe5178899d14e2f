/** No input leads to a status of 5xx, and every body of a response is JSON. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { type Person, signUpPerson } from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

let server: AuthServer;
let ann: Person;
beforeAll(async () => {
  server = await startAuthServer({
    GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true',
    GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: 'true',
  });
  ann = await signUpPerson(server);
});
afterAll(() => server.close());

const TARGETS: readonly Pick<Call, 'method' | 'path'>[] = [
  { method: 'POST', path: '/signup' },
  { method: 'POST', path: '/token?grant_type=password' },
  { method: 'POST', path: '/token?grant_type=refresh_token' },
  { method: 'POST', path: '/token?grant_type=web3' },
  { method: 'PUT', path: '/user' },
];

async function expectNoServerError(call: Call): Promise<void> {
  const response = await send(server, { ...call, bearer: ann.accessToken });
  expect(response.status, response.text).toBeLessThan(500);
  if (response.text !== '') expect(response.json, response.text).toBeTypeOf('object');
}

/** Mostly texts with a meaning, and texts that are hard to store or to search for. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('\0', '\ud800', '\udc00', '%', '\\', "'", '"', '$1', '\u2028', 'ß', 'İ', '😀'),
  }),
  fc.emailAddress(),
  fc.stringMatching(/^\+?[0-9 ]{0,20}$/),
  fc.stringMatching(/^[a-z0-9]{12}$/),
  fc.constantFrom(
    'secret horse',
    'ethereum',
    'solana',
    '__proto__',
    'constructor',
    'x'.repeat(300),
    'é'.repeat(3000),
  ),
);
const value = fc.oneof(
  { withCrossShrink: true },
  text,
  fc.anything({ maxDepth: 3, withNullPrototype: false }),
  fc.double(),
  fc.dictionary(text, fc.oneof(text, fc.double(), fc.constant(null), fc.array(text))),
);
const FIELDS = [
  'email',
  'phone',
  'password',
  'data',
  'channel',
  'code_challenge',
  'code_challenge_method',
  'refresh_token',
  'nonce',
  'current_password',
  'app_metadata',
  'gotrue_meta_security',
  'chain',
  'message',
  'signature',
];
const body = fc.oneof(
  fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 6 }),
  fc.record({ email: text, password: text, data: value }),
  fc.record({ phone: text, password: text, data: value }),
  fc.json(),
  fc.string({ unit: 'binary' }),
);
const stringify = (input: unknown) =>
  typeof input === 'string'
    ? input
    : (JSON.stringify(input, (_, item) => (typeof item === 'bigint' ? `${item}` : item)) ?? '');

it.each(TARGETS)('$method $path does not respond with 500 to any JSON', async (target) => {
  await fc.assert(
    fc.asyncProperty(body, (drawn) => expectNoServerError({ ...target, body: stringify(drawn) })),
    { numRuns: 100 },
  );
});

it.each(TARGETS)('$method $path does not respond with 500 to any bytes', async (target) => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (bytes) =>
      expectNoServerError({ ...target, body: new Uint8Array(bytes) }),
    ),
    { numRuns: 60 },
  );
});

it('PUT /user stores and returns any metadata', async () => {
  const person = await signUpPerson(server);
  // Removes a key `__proto__`, because a client that copies metadata would set the prototype with it.
  const storable = fc
    .string({ unit: 'grapheme' })
    .filter((sample) => !sample.includes('\0') && sample !== '__proto__');
  const metadata = fc.dictionary(
    storable,
    fc.oneof(storable, fc.integer(), fc.boolean(), fc.array(storable)),
    {
      noNullPrototype: true,
    },
  );
  await fc.assert(
    fc.asyncProperty(metadata, async (data) => {
      const call = {
        method: 'PUT',
        path: '/user',
        bearer: person.accessToken,
        body: JSON.stringify({ data }),
      } as const;
      const response = await send(server, call);
      expect(response.status, response.text).toBe(200);
      expect(response.json.user_metadata).toMatchObject(data);
      // Clears the metadata, because the sum of all runs would exceed the limit of a token.
      const text = `update auth.users set raw_user_meta_data = '{}' where id = $1`;
      await server.database.admin.query({ text, values: [person.id] });
    }),
    { numRuns: 100 },
  );
});

const query = fc.dictionary(
  fc.constantFrom('page', 'per_page', 'filter', 'sort', 'scope', 'grant_type', 'apikey'),
  text,
);
it('does not respond with 500 to any query', async () => {
  const service = await server.keys.sign({ role: 'service_role' });
  await fc.assert(
    fc.asyncProperty(
      query,
      fc.constantFrom('/admin/users', '/user', '/settings'),
      async (parameters, path) => {
        const search = Object.entries(parameters).map(
          ([name, item]) => `${name}=${encodeURIComponent(item.toWellFormed())}`,
        );
        const response = await send(server, { path: `${path}?${search.join('&')}`, bearer: service });
        expect(response.status, response.text).toBeLessThan(500);
      },
    ),
    { numRuns: 200 },
  );
});

it('does not respond with 500 to any valid header', async () => {
  const latin1 = fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
  });
  const headers = fc.record({
    'x-jwt-aud': latin1,
    'user-agent': latin1,
    'x-supabase-api-version': latin1,
    'x-forwarded-for': latin1,
  });
  await fc.assert(
    fc.asyncProperty(headers, async (drawn) => {
      await expectNoServerError({ method: 'POST', path: '/signup', body: {}, headers: drawn });
      await expectNoServerError({ path: '/user', headers: drawn });
    }),
    { numRuns: 50 },
  );
});
