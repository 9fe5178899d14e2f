/** Generates keys that a project keeps in a file, in the format of the Supabase CLI. */
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** The algorithms of keys that the Supabase CLI generates. */
export const GENERATED_ALGORITHMS = ['ES256', 'RS256'] as const;

/** Returns a private JSON Web Key (RFC 7517) that signs and verifies. */
export async function generateJwk(algorithm: (typeof GENERATED_ALGORITHMS)[number]): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const { kty, ...material } = await exportJWK(privateKey);
  return {
    kty,
    kid: randomUUID(),
    use: 'sig',
    key_ops: ['sign', 'verify'],
    alg: algorithm,
    ext: true,
    ...material,
  } as JWK;
}
