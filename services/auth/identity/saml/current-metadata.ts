/**
 * The metadata of a provider as they are now. Those with a URL are fetched anew when they are no longer good, once for all
 * that ask at the same time; where that fails, what is known goes on: people must get in although a file is missing.
 */
import { CatalogueError } from '@greenroom/errors';
import type { AuthContext } from '../../context.ts';
import { fetchMetadata } from './fetch-metadata.ts';
import { type IdentityProvider, parseIdentityProvider } from './identity-provider.ts';
import type { ProviderRow } from './provider.ts';
import { XmlError } from './xml.ts';

/** How long metadata are kept that do not say so themselves. */
const KEPT_MS = 24 * 3_600_000;
/** How often is asked at most, whatever metadata say. */
const LEAST_MS = 60_000;

/** Answers what to believe of a provider. */
export async function currentIdentityProvider(
  context: AuthContext,
  provider: ProviderRow,
): Promise<IdentityProvider> {
  const known = parseIdentityProvider(provider.metadata_xml);
  if (provider.metadata_url === null || !isStale(known, provider, context.now())) return known;
  if (!(await claimRefresh(context, provider))) return known;
  return (await refresh(context, provider, provider.metadata_url)) ?? known;
}

/** Whether metadata should be looked for. */
export function isStale(
  { validUntil, cacheMs }: Pick<IdentityProvider, 'validUntil' | 'cacheMs'>,
  { metadata_at: fetchedAt }: Pick<ProviderRow, 'metadata_at'>,
  now: Date,
): boolean {
  const age = now.getTime() - (fetchedAt?.getTime() ?? 0);
  if (age < LEAST_MS) return false;
  if (validUntil !== undefined && now > validUntil) return true;
  if (cacheMs !== undefined) return age > cacheMs;
  return validUntil === undefined && age > KEPT_MS;
}

/** Of parallel requests, one fetches. */
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
