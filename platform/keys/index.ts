/**
 * Keys and tokens: signs and verifies JSON Web Tokens, and manages the API keys of clients and the key file. The
 * services interpret the claims.
 */
export {
  type ApiKeyIdentity,
  type ApiKeyReader,
  type ApiKeys,
  createApiKeyReader,
  createApiKeys,
} from './api-keys.ts';
export { CLI_JWT_SECRET, createCliApiKeys, withCliKeys } from './cli-keys.ts';
export { GENERATED_ALGORITHMS, generateJwk } from './generate-jwk.ts';
export { acceptIssuers } from './issuers/access-tokens.ts';
export type { TrustedIssuer } from './issuers/trusted-issuer.ts';
export { JwtError, type JwtErrorReason } from './jwt-error.ts';
export {
  addMissingKeys,
  type CompleteKeyFile,
  generateKeyFile,
  type KeyFile,
  loadKeyFile,
  signingKeysOf,
} from './key-file.ts';
export {
  addStandbyKey,
  describeKeys,
  type KeyDescription,
  promoteStandbyKey,
  revokeKey,
} from './key-rotation.ts';
export { type AccessTokens, createKeyring, type Keys } from './keyring.ts';
export { generateS3KeyPair, type S3KeyPair, s3KeyPairOf } from './s3-key-pair.ts';
export { isSealed, seal, unseal } from './secret-box.ts';
export { secretsEqual } from './secrets-equal.ts';
export { readSigningKey } from './signing-key.ts';
export {
  rotateWebhookSecret,
  type WebhookSecret,
  webhookSecretsOf,
} from './webhook-secrets.ts';
export { signedHeaders, signingKey } from './webhook-signature.ts';
