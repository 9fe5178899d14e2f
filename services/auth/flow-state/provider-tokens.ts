/**
 * Tokens of an external provider, for clients that call its API. They are stored in the flow until its code is
 * exchanged, and encrypted, because they give access to an account at the provider.
 */
import type { AuthContext } from '../context.ts';
import { open, seal } from '../lib/secret-box.ts';
import type { FlowRow } from './statements.ts';

/** Tokens of a provider. Some providers issue no refresh token. */
export interface ProviderTokens {
  accessToken: string;
  refreshToken: string | undefined;
}

/** Encrypts the tokens. Only the flow with this id can decrypt them. */
export function sealProviderTokens(
  { accessToken, refreshToken }: ProviderTokens,
  flowId: string,
  { keys }: Pick<AuthContext, 'keys'>,
): ProviderTokens {
  const key = keys.derive('provider-tokens');
  return {
    accessToken: seal(accessToken, key, flowId),
    refreshToken: refreshToken === undefined ? undefined : seal(refreshToken, key, flowId),
  };
}

/** Decrypts the tokens of a flow; undefined if the flow has none or if decryption fails. */
export function openProviderTokens(
  { id, provider_access_token, provider_refresh_token }: FlowRow,
  { keys }: Pick<AuthContext, 'keys'>,
): ProviderTokens | undefined {
  if (provider_access_token === null) return undefined;
  const key = keys.derive('provider-tokens');
  const accessToken = open(provider_access_token, key, id);
  if (accessToken === undefined) return undefined;
  const refreshToken = provider_refresh_token === null ? undefined : open(provider_refresh_token, key, id);
  return { accessToken, refreshToken };
}
