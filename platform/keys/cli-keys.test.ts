import { expect, it } from 'vitest';
import { createCliApiKeys, generateKeyFile, withCliKeys } from './index.ts';

it('the API keys are the texts that scripts contain', async () => {
  const header = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';
  expect(await createCliApiKeys()).toEqual({
    anon: `${header}.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9.CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0`,
    serviceRole: `${header}.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6MTk4MzgxMjk5Nn0.EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU`,
    publishable: 'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH',
    secret: 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
  });
});

it('the keys that sign tokens of users, and the password of the superuser, remain those of the instance', async () => {
  const file = await generateKeyFile(1_700_000_000);
  const { signingKey, createdAt, webhookSecrets, ...others } = withCliKeys(file);
  expect(webhookSecrets).toEqual(file.webhookSecrets);
  expect({ signingKey, createdAt }).toEqual({ signingKey: file.signingKey, createdAt: file.createdAt });
  expect(others).toEqual({
    version: 1,
    jwtSecret: 'super-secret-jwt-token-with-at-least-32-characters-long',
    publishableKey: 'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH',
    secretKey: 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
    databasePassword: 'postgres',
    databaseSuperuserPassword: file.databaseSuperuserPassword,
    vaultKey: file.vaultKey,
    s3KeyPair: {
      accessKeyId: '625729a08b95bf1b7ff351a663f3a23c',
      secretAccessKey: '850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907',
    },
  });
});
