import { expect, it } from 'vitest';
import { generateKeyFile } from './key-file.ts';
import { rotateWebhookSecret, webhookSecretsOf } from './webhook-secrets.ts';

it('a rotation creates a secret and keeps the former one for the overlap', async () => {
  const file = await generateKeyFile(1000);
  const [first] = webhookSecretsOf(undefined, file);
  const rotated = rotateWebhookSecret(file, { now: 2000, overlapSeconds: 60 });
  const [current, former, ...rest] = webhookSecretsOf(undefined, rotated);
  expect(current?.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(current).not.toEqual(first);
  expect([former, rest]).toEqual([{ ...first, endsAt: 2060 }, []]);
  expect(rotated).toMatchObject({ jwtSecret: file.jwtSecret, vaultKey: file.vaultKey });
});

it('configured secrets replace those of the file', async () => {
  const file = await generateKeyFile(1000);
  expect(webhookSecretsOf(['whsec_a', 'whsec_b'], file)).toEqual([
    { secret: 'whsec_a' },
    { secret: 'whsec_b' },
  ]);
  expect(webhookSecretsOf(undefined, undefined)).toEqual([]);
});
