/**
 * Current metadata of identity providers. Expired metadata with a URL are fetched again, once for all
 * concurrent requests. If that fails, the stored metadata remain in use, so that an unavailable file does not
 * block sign-ins.
 */
import { CatalogueError } from '@greenroom/errors';
import type { AuthContext } from '../../context.ts';
import { fetchMetadata } from './fetch-metadata.ts';
import { type IdentityProvider, parseIdentityProvider } from './identity-provider.ts';
import type { ProviderRow } from './provider.ts';
import { XmlError } from './xml.ts';

/** Cache duration of metadata that specify none, in milliseconds. */
const DEFAULT_CACHE_MS = 24 * 3_600_000;
/** Minimum interval between fetches in milliseconds, regardless of the metadata. */
const MIN_REFETCH_MS = 60_000;

/** Returns a provider's metadata, refreshed if they are stale. */
export async function currentIdentityProvider(
  context: AuthContext,
  provider: ProviderRow,
): Promise<IdentityProvider> {
  const stored = parseIdentityProvider(provider.metadata_xml);
  if (provider.metadata_url === null || !isStale(stored, provider, context.now())) return stored;
  if (!(await claimRefresh(context, provider))) return stored;
  return (await refresh(context, provider, provider.metadata_url)) ?? stored;
}

/** Whether metadata should be fetched again. */
export function isStale(
  { validUntil, cacheMs }: Pick<IdentityProvider, 'validUntil' | 'cacheMs'>,
  { metadata_at: fetchedAt }: Pick<ProviderRow, 'metadata_at'>,
  now: Date,
): boolean {
  const age = now.getTime() - (fetchedAt?.getTime() ?? 0);
  if (age < MIN_REFETCH_MS) return false;
  if (validUntil !== undefined && now > validUntil) return true;
  if (cacheMs !== undefined) return age > cacheMs;
  return validUntil === undefined && age > DEFAULT_CACHE_MS;
}

/** Ensures that only one of several concurrent requests fetches. */
async function claimRefresh(
  { database, now }: AuthContext,
  { id, metadata_at }: ProviderRow,
): Promise<boolean> {
  const claimed = await database.query({
    name: 'auth_claim_metadata_refresh',
    text: `update auth.saml_providers set updated_at = $2
      where sso_provider_id = $1 and date_trunc('milliseconds', updated_at) is not distinct from $3 returning id`,
    values: [id, now(), metadata_at],
  });
  return claimed.length > 0;
}

async function refresh(
  { database, config }: AuthContext,
  { id, entity_id: entityId }: ProviderRow,
  url: string,
): Promise<IdentityProvider | undefined> {
  try {
    const xml = await fetchMetadata(url, config.saml.privateNetwork);
    const fetched = parseIdentityProvider(xml);
    if (fetched.entityId !== entityId) return undefined;
    await database.query({
      name: 'auth_refresh_metadata',
      text: 'update auth.saml_providers set metadata_xml = $2 where sso_provider_id = $1 and metadata_url = $3',
      values: [id, xml, url],
    });
    return fetched;
  } catch (error) {
    if (error instanceof CatalogueError || error instanceof XmlError) return undefined;
    throw error;
  }
}
