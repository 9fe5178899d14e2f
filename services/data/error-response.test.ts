import { QueueFullError } from '@greenroom/limits';
import { PoolTimeoutError } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorResponse } from './error-response.ts';
import { failure } from './errors.ts';
import { QuerySyntaxError } from './query/syntax-error.ts';

const VERBOSE = { isAnonymous: false, verbosity: 'verbose' } as const;
const MINIMAL = { isAnonymous: false, verbosity: 'minimal' } as const;
const headersOf = (error: unknown) => Object.fromEntries(errorResponse(error, VERBOSE).headers);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The error that PostgreSQL answers with. */
async function errorOf(...texts: string[]): Promise<unknown> {
  return database.admin.batch(texts.map((text) => ({ text }))).then(
    () => expect.fail('there was no error'),
    (error: unknown) => error,
  );
}

describe('an error of the catalogue', () => {
  it('has all four members as JSON', () => {
    expect(errorResponse(failure('PGRST125'), VERBOSE)).toEqual({
      status: 404,
      statusText: undefined,
      headers: [
        ['content-type', 'application/json; charset=utf-8'],
        ['proxy-status', 'PostgREST; error=PGRST125'],
      ],
      body: { code: 'PGRST125', details: null, hint: null, message: 'Invalid path specified in request URL' },
    });
  });

  it('has details and hint unless the verbosity is minimal', () => {
    const error = failure('PGRST201', {
      message: 'Which?',
      extra: { details: [{ a: 1 }], hint: 'That one' },
    });
    const body = { code: 'PGRST201', details: [{ a: 1 }], hint: 'That one', message: 'Which?' };
    expect(errorResponse(error, VERBOSE).body).toEqual(body);
    expect(errorResponse(error, MINIMAL).body).toEqual({ code: 'PGRST201', message: 'Which?' });
  });

  it.each([
    ['PGRST301', 'No key', 'Bearer error="invalid_token", error_description="No key"'],
    ['PGRST303', 'JWT expired', 'Bearer error="invalid_token", error_description="JWT expired"'],
    ['PGRST303', 'a "b" \\ é\r\n', 'Bearer error="invalid_token", error_description="a \'b\' \' ???"'],
    ['PGRST302', 'Anonymous access is disabled', 'Bearer'],
    ['PGRST300', 'No keys at all', undefined],
  ] as const)('%s (%s) has the header WWW-Authenticate: %s', (code, message, challenge) => {
    expect(headersOf(failure(code, { message }))['www-authenticate']).toBe(challenge);
  });

  it('sets Retry-After', () => {
    expect(headersOf(failure('PGRST002'))['retry-after']).toBe('1');
    expect(headersOf(failure('PGRST003'))['retry-after']).toBeUndefined();
    expect(headersOf(failure('PGRSTX01'))['retry-after']).toBe('1');
  });

  it('adds its own headers', () => {
    const error = failure('PGRST103', { headers: { 'content-range': '*/3' } });
    expect(headersOf(error)['content-range']).toBe('*/3');
  });
});

it('reports the position of a syntax error in the query string', () => {
  const error = new QuerySyntaxError(5, 'select parameter', 'id,(name', 'expecting field name');
  expect(errorResponse(error, VERBOSE)).toMatchObject({
    status: 400,
    body: {
      code: 'PGRST100',
      message: '"failed to parse select parameter (id,(name)" (line 1, column 5)',
      details: 'expecting field name',
    },
  });
});

it.each([
  [new Error('secret'), 500, 'PGRSTX00'],
  ['secret', 500, 'PGRSTX00'],
  [undefined, 500, 'PGRSTX00'],
  [Object.assign(new Error('secret'), { code: 'ECONNREFUSED', syscall: 'connect' }), 503, 'PGRST000'],
  [new Error('Connection terminated: secret'), 503, 'PGRST001'],
  [new PoolTimeoutError('timeout exceeded'), 504, 'PGRST003'],
  [new QueueFullError('too many requests wait'), 429, 'PGRSTX01'],
])('reports %o only as %d %s', (error, status, code) => {
  const response = errorResponse(error, VERBOSE);
  expect(response).toMatchObject({ status, body: { code, details: null, hint: null } });
  expect(JSON.stringify(response)).not.toContain('secret');
});

describe('an error of PostgreSQL', () => {
  it('is reported unchanged', async () => {
    const error = await errorOf('select 1 from missing_table');
    expect(errorResponse(error, VERBOSE)).toMatchObject({
      status: 404,
      body: { code: '42P01', details: null, hint: null, message: 'relation "missing_table" does not exist' },
    });
    expect(errorResponse(error, MINIMAL).body).toEqual({
      code: '42P01',
      message: 'relation "missing_table" does not exist',
    });
  });

  it('has its detail and hint', async () => {
    const error = await errorOf(
      `do $$ begin raise exception 'No' using detail = 'because', hint = 'do so'; end $$`,
    );
    expect(errorResponse(error, VERBOSE)).toMatchObject({
      status: 400,
      body: { code: 'P0001', details: 'because', hint: 'do so', message: 'No' },
    });
  });

  it('for a missing privilege challenges an anonymous caller', async () => {
    const error = await errorOf('set local role anon', 'select * from auth.users');
    const response = errorResponse(error, { isAnonymous: true, verbosity: 'verbose' });
    expect([response.status, Object.fromEntries(response.headers)['www-authenticate']]).toEqual([
      401,
      'Bearer',
    ]);
    expect(errorResponse(error, VERBOSE).status).toBe(403);
  });

  it.each([
    ['PT402', 'Pay first', 402, 'Pay first'],
    ['PT404', 'Müller', 404, undefined],
    ['PTxyz', 'x', 500, undefined],
  ])(
    'raised as %s sets the status, and its message is the reason phrase',
    async (state, message, status, reason) => {
      const raise = `do $$ begin raise sqlstate '${state.toUpperCase()}' using message = '${message}'; end $$`;
      const response = errorResponse(await errorOf(raise), VERBOSE);
      expect([response.status, response.statusText, response.body.message]).toEqual([
        status,
        reason,
        message,
      ]);
    },
  );
});

describe("RAISE SQLSTATE 'PGRST'", () => {
  const raised = (message: string, detail?: string) =>
    errorOf(
      `do $do$ begin raise sqlstate 'PGRST' using message = $m$${message}$m$${detail === undefined ? '' : `, detail = $d$${detail}$d$`}; end $do$`,
    );
  const BODY = '{"code":"no_credit","message":"Top up"}';

  it('defines the whole response', async () => {
    const detail = '{"status":402,"status_text":"Pay","headers":{"X-Credit":"0","Proxy-Status":"mine"}}';
    expect(errorResponse(await raised(BODY, detail), VERBOSE)).toEqual({
      status: 402,
      statusText: 'Pay',
      headers: [
        ['content-type', 'application/json; charset=utf-8'],
        ['x-credit', '0'],
        ['proxy-status', 'mine'],
      ],
      body: { code: 'no_credit', details: null, hint: null, message: 'Top up' },
    });
  });

  it.each([
    ['a MESSAGE that is not JSON', 'x', '{"status":400,"headers":{}}', 'Invalid JSON value for MESSAGE'],
    [
      'a MESSAGE without a code',
      '{"message":"x"}',
      '{"status":400,"headers":{}}',
      'Invalid JSON value for MESSAGE',
    ],
    [
      'details of another type',
      '{"code":"a","message":"x","details":1}',
      '{"status":400,"headers":{}}',
      'Invalid JSON value for MESSAGE',
    ],
    ['a missing DETAIL', BODY, undefined, 'DETAIL is missing'],
    ['a DETAIL that is not JSON', BODY, '{', 'Invalid JSON value for DETAIL'],
    ['missing headers', BODY, '{"status":400}', 'Invalid JSON value for DETAIL'],
    ['a list of headers', BODY, '{"status":400,"headers":[]}', 'Invalid JSON value for DETAIL'],
    ['a number as header', BODY, '{"status":400,"headers":{"A":1}}', 'Invalid JSON value for DETAIL'],
    ['a missing status', BODY, '{"headers":{}}', 'Invalid JSON value for DETAIL'],
    ['a text as status', BODY, '{"status":"400","headers":{}}', 'Invalid JSON value for DETAIL'],
    ['an informational status', BODY, '{"status":101,"headers":{}}', 'Invalid JSON value for DETAIL'],
    ['an invalid status', BODY, '{"status":1000,"headers":{}}', 'Invalid JSON value for DETAIL'],
    [
      'a line break in a header',
      BODY,
      '{"status":400,"headers":{"A":"b\\r\\nC: d"}}',
      'Invalid JSON value for DETAIL',
    ],
    [
      'a header of the HTTP framing',
      BODY,
      '{"status":400,"headers":{"Content-Length":"0"}}',
      'Invalid JSON value for DETAIL',
    ],
  ])('is rejected with %s', async (_, message, detail, details) => {
    const response = errorResponse(await raised(message, detail), VERBOSE);
    expect(response).toMatchObject({ status: 500, body: { code: 'PGRST121' } });
    expect(response.body.details).toContain(details);
  });

  it('is a response or PGRST121 for any content', () => {
    const text = fc.oneof(fc.string(), fc.json());
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), (message, detail) => {
        const error = Object.assign(new Error(message), { code: 'PGRST', severity: 'ERROR', detail });
        const { status, headers } = errorResponse(error, VERBOSE);
        expect(status).toBeGreaterThanOrEqual(200);
        expect(headers.every(([, value]) => !/[\r\n\0]/.test(value))).toBe(true);
      }),
    );
  });
});
