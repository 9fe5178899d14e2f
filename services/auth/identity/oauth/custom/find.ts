/** Finds custom providers. */
import type { AuthContext } from '../../../context.ts';
import { open } from '../../../lib/secret-box.ts';
import type { Provider } from '../provider.ts';
import { describeCustomProvider } from './description.ts';
import { type CustomProviderRow, findCustomProviderRow } from './statements.ts';

/** Prefix of the names of custom providers. */
export const CUSTOM_PREFIX = 'custom:';

/** Returns a custom provider, or undefined if it does not exist or is disabled. */
export async function findCustomProvider(
  { config, database, keys }: AuthContext,
  name: string,
): Promise<Provider | undefined> {
  const { customProviders, privateCustomProviders, callbackUrl } = config.externalProviders;
  if (!customProviders || !/^[a-z0-9:-]{1,60}$/.test(name)) return undefined;
  const [row] = await database.query<CustomProviderRow>(findCustomProviderRow(name));
  if (row === undefined || !row.enabled) return undefined;
  return {
    name,
    description: describeCustomProvider(row),
    settings: {
      clientIds: [row.client_id, ...row.acceptable_client_ids],
      secret: open(row.client_secret, keys.derive('custom-providers'), row.id),
      redirectUri: callbackUrl,
      url: undefined,
      skipNonceCheck: row.skip_nonce_check,
      emailOptional: row.email_optional,
    },
    mayBePrivate: privateCustomProviders,
  };
}
