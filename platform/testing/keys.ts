/** New keys for a test. */
import { type ApiKeys, createApiKeys, createKeyring, generateKeyFile, type Keys } from '@greenroom/keys';

/** The shared secret of tests; never one of an instance. */
export const TEST_JWT_SECRET = 'a-secret-for-tests-of-at-least-32-characters';

/** Creates a keyring with a new ES256 key and {@link TEST_JWT_SECRET}. */
export async function createTestKeys(): Promise<Keys> {
  const { signingKey } = await generateKeyFile(Math.floor(Date.now() / 1000));
  return createKeyring({ signingKeys: [signingKey], jwtSecret: TEST_JWT_SECRET });
}

/** Creates API keys that are signed with {@link TEST_JWT_SECRET}. */
export function createTestApiKeys(): Promise<ApiKeys> {
  return createApiKeys({
    jwtSecret: TEST_JWT_SECRET,
    publishableKey: 'sb_publishable_test',
    secretKey: 'sb_secret_test',
    createdAt: Math.floor(Date.now() / 1000),
  });
}
