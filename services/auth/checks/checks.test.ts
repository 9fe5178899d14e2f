/** Checks against servers that behave like providers, captchas and hooks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OtherServer, startOtherServer } from '../testing/http-server.ts';
import { checkCaptcha, checkHook, checkProvider } from './index.ts';

let other: OtherServer;
let answer: { status: number; body: unknown };
beforeAll(async () => {
  other = await startOtherServer((_request, response) => {
    const headers = { 'content-type': 'application/json' };
    response.writeHead(answer.status, headers).end(JSON.stringify(answer.body));
  });
});
afterAll(() => other.close());

describe('checkProvider', () => {
  const check = () =>
    checkProvider('github', {
      clientIds: ['id'],
      secret: 'secret',
      redirectUri: 'http://localhost/callback',
      url: other.url,
      skipNonceCheck: false,
      emailOptional: false,
    });

  it.each([
    [200, 'bad_verification_code', true],
    [400, 'invalid_grant', true],
    [200, 'incorrect_client_credentials', false],
    [400, 'invalid_client', false],
    [400, 'redirect_uri_mismatch', false],
  ])('understands %i %s', async (status, error, isOk) => {
    answer = { status, body: { error } };
    expect((await check()).isOk).toBe(isOk);
  });
});

it.each([
  [['invalid-input-response'], true],
  [['invalid-input-secret'], false],
])('checkCaptcha understands %j', async (codes, isOk) => {
  answer = { status: 200, body: { success: false, 'error-codes': codes } };
  const result = await checkCaptcha({ verifyUrl: other.url, secret: 'hidden-secret', timeoutMs: 1000 });
  expect(result.isOk).toBe(isOk);
  expect(result.message).not.toContain('hidden-secret');
});

it.each([
  [200, true],
  [401, false],
])('checkHook sends a signed request and understands status %i', async (status, isOk) => {
  answer = { status, body: {} };
  const keys = [Buffer.alloc(32, 1).toString('base64')];
  const result = await checkHook('sendEmail', { kind: 'http', url: other.url, keys });
  expect(result.isOk).toBe(isOk);
  expect(other.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,/);
  expect(other.received.at(-1)?.body).toContain('greenroom-check@example.invalid');
});
