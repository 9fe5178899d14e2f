/** Access tokens of about the usual size, and the key that signs them, which is the same in every process. */
import { createKeyring } from '@greenroom/keys';

const LIFETIME_SECONDS = 3600;

/** A private key for benchmarks only. */
export const checkedKey = {
  kty: 'EC',
  crv: 'P-256',
  kid: 'bench',
  x: 'anN5liyrB6ianNIYcVqrbZR0pSl3VZYLqDXsqA-2N0I',
  y: 'g4ZTdHo-zOPAsEcac6jXNW6MdREuoClKRe8db4_5aOY',
  d: 'V_WA8KNxrfiTM087YUS5VmRDMhT42Cih8UoqqGFU1m4',
};

/** Signs `count` different tokens. */
export function signTokens(count: number): Promise<string[]> {
  const keys = createKeyring({
    signingKeys: [checkedKey],
    jwtSecret: 'a-secret-of-at-least-thirty-two-bytes',
  });
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    aud: 'authenticated',
    role: 'authenticated',
    email: 'somebody@example.org',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { email: 'somebody@example.org', email_verified: true },
    iat,
    exp: iat + LIFETIME_SECONDS,
  };
  return Promise.all(
    Array.from({ length: count }, (_, number) => keys.sign({ ...claims, sub: String(number) })),
  );
}
