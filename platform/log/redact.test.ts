import { expect, it } from 'vitest';
import { createLogger, KEPT_MESSAGE, redact } from './index.ts';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmF0dXJl';

it.each([
  ['a token', `invalid token ${TOKEN}.`, 'invalid token (hidden).'],
  ['a token behind the beginning of one', 'eyJhbGciOiJI-eyJhbGciOiJI.e30.x', '(hidden)'],
  ['a secret key', 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_x was used', 'sb_secret_(hidden) was used'],
  ['a secret of webhooks', 'v1,whsec_c2VjcmV0/+=', 'v1,whsec_(hidden)'],
  [
    'a password of a database',
    'postgresql://ada:se:cr%20et@db:5432/x',
    'postgresql://ada:(hidden)@db:5432/x',
  ],
  [
    'a password of a connection string',
    "host=db password=secret user='a'",
    "host=db password=(hidden) user='a'",
  ],
  [
    'codes of a URL',
    '/callback?code=a1&state=b2#access_token=c3',
    '/callback?code=(hidden)&state=(hidden)#access_token=(hidden)',
  ],
  [
    'the link of the first admin',
    'http://localhost/admin?claim=a8Nn',
    'http://localhost/admin?claim=(hidden)',
  ],
  ['a signed URL', '/a.png?X-Amz-Signature=ff&x=1', '/a.png?X-Amz-Signature=(hidden)&x=1'],
  ['nothing else', 'GET /rest/v1/notes?id=eq.7 {"level":30}', 'GET /rest/v1/notes?id=eq.7 {"level":30}'],
])('redact removes %s', (_, line, expected) => {
  expect(redact(line)).toBe(expected);
});

it.each(['-eyJaaaaaaaa', 'eyJaaaaaaaa.', '-eyJaaaaaaaa.a.a', '://a:'])(
  'redact ends for a line of 1 MB that repeats %s',
  (part) => {
    const line = `{"msg":"${part.repeat(1_000_000 / part.length)}"}`;
    expect(redact(line).endsWith('"}')).toBe(true);
  },
);

it('a logger redacts members at any depth and the texts of errors, and writes lines of JSON', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) });
  const headers = { authorization: `Bearer ${TOKEN}`, Cookie: 'a="b"', apikey: 'sb_secret_abc' };
  const message = 'cannot connect to postgresql://ada:pass%22word@db/x';
  const err = Object.assign(new Error(message), { request: { headers } });
  log.error({ err, password: 'pass"word' }, `failed for ${TOKEN}`);
  const [line = ''] = lines;
  expect(line).not.toMatch(/eyJ|pass(?:%22|..?")word|sb_secret_abc|a=/);
  expect(JSON.parse(line)).toMatchObject({
    password: '(hidden)',
    msg: 'failed for (hidden)',
    err: { request: { headers: { authorization: '(hidden)', Cookie: '(hidden)', apikey: '(hidden)' } } },
  });
});

it('a logger keeps the links of mails that stay on a machine in development', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) });
  const link = 'http://localhost:54321/auth/v1/verify?token=abc';
  log.info({ link }, KEPT_MESSAGE);
  log.info({ link }, 'another message');
  expect(lines.map((line) => JSON.parse(line).link)).toEqual([link, link.replace('abc', '(hidden)')]);
});
