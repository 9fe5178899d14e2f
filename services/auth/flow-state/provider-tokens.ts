/**
 * The tokens of an external provider, for clients that want to call its API. They wait in the flow until its code is
 * exchanged, encrypted: they open somebody's account elsewhere.
 */
import type { AuthContext } from '../context.ts';
import { open, seal } from '../lib/secret-box.ts';
import type { FlowRow } from './statements.ts';

/** Some providers give no refresh token. */
export interface ProviderTokens {
  accessToken: string;
  refreshToken: string | undefined;
}

/** Encrypts them for one flow. */
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

/** Undefined for flows of this service itself. */
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
