import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { createWebhookSigner } from './webhook-signer.ts';

const secretOf = (text: string) => `whsec_${Buffer.from(text.repeat(32)).toString('base64')}`;
const BODY = Buffer.from('{"a": "ü"}');

it('signs with the former secret until it ends', () => {
  const now = new Date();
  const endsAt = Math.floor(now.getTime() / 1000) + 10;
  const secrets = [{ secret: secretOf('a') }, { secret: secretOf('b'), endsAt }];
  const signer = (at: Date) => createWebhookSigner(secrets, () => at)('id', BODY);
  for (const { secret } of secrets) new Webhook(secret).verify(BODY.toString(), signer(now));
  const [, later = {}] = [now, new Date(endsAt * 1000)].map(signer);
  expect(later['webhook-signature']?.split(' ')).toHaveLength(1);
  expect(() => new Webhook(secretOf('b')).verify(BODY.toString(), later)).toThrow();
});

it('returns no headers without a secret', () => {
  expect(createWebhookSigner([], () => new Date())('id', BODY)).toEqual({});
});

it('reads the clock for each attempt', () => {
  let seconds = 100;
  const sign = createWebhookSigner([{ secret: secretOf('a') }], () => new Date(seconds * 1000));
  const first = sign('id', BODY);
  seconds = 200;
  expect([first, sign('id', BODY)].map((headers) => headers['webhook-timestamp'])).toEqual(['100', '200']);
});
