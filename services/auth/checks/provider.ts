import { genericGrantRequest, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { createConnection } from '../identity/oauth/connection.ts';
import { PROVIDERS } from '../identity/oauth/providers.ts';
import type { ProviderSettings } from '../settings/providers.ts';
import { type CheckResult, reasonOf } from './check-result.ts';

/** Codes of token endpoints for wrong client credentials: RFC 6749 §5.2, GitHub. */
const WRONG_CLIENT = ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'];
/** Codes about the made-up authorization code: the credentials were accepted. */
const WRONG_CODE = ['invalid_grant', 'bad_verification_code', 'invalid_code'];

/**
 * Discovers the provider, and exchanges a made-up authorization code: token endpoints check the credentials of the client before
 * the code.
 */
export async function checkProvider(name: string, settings: ProviderSettings): Promise<CheckResult> {
  const found = PROVIDERS.find((provider) => provider.name === name);
  if (found === undefined) return { isOk: false, message: `There is no provider ${name}.` };
  const { description } = found;
  const provider = { name, description, settings, mayBePrivate: true };
  try {
    const connection = await createConnection(provider);
    const parameters = { code: 'greenroom-check', redirect_uri: settings.redirectUri };
    return await genericGrantRequest(connection, 'authorization_code', parameters).then(
      () => ({ isOk: true, message: 'The provider responded.' }),
      findingOf,
    );
  } catch (error) {
    return { isOk: false, message: `The provider cannot be reached: ${reasonOf(error)}` };
  }
}

function findingOf(error: unknown): CheckResult {
  if (error instanceof WWWAuthenticateChallengeError)
    return { isOk: false, message: 'The provider does not accept the client id and the secret (401).' };
  if (!(error instanceof ResponseBodyError))
    return { isOk: false, message: `The token endpoint did not respond: ${reasonOf(error)}` };
  const { error: code, error_description: description } = error;
  if (WRONG_CLIENT.includes(code))
    return { isOk: false, message: `The provider does not accept the client id and the secret (${code}).` };
  if (WRONG_CODE.includes(code))
    return { isOk: true, message: 'The provider accepts the client id and the secret.' };
  return { isOk: false, message: `The provider responded: ${description ?? code}` };
}
