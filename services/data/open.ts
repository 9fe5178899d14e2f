/** Implementation of the service's `open`, loaded only when a server opens it. */
import type { OpenService, ServiceContext } from '@greenroom/service';
import { keyringVerifier } from './auth/verify-token.ts';
import { corsRules } from './cors-rules.ts';
import { openDataInstance } from './instance.ts';
import { dataPlugin } from './plugin.ts';
import { AUTHENTICATOR_ROLE } from './roles.ts';
import type { DataConfig } from './settings/settings.ts';

const PREFIX = '/rest/v1';
/** Same as in the hosted service: statements can call functions of extensions without a schema name. */
const SEARCHED_SCHEMAS = 'public,extensions';
/** Created by the platform's migrations. */
const ANON_ROLE = 'anon';

/** Opens the service. A foreign database keeps its own search path and has no default role for requests without a token. */
export async function open(context: ServiceContext<DataConfig>): Promise<OpenService<DataConfig>> {
  const { database, instance: addresses, keys, log } = context;
  const environmentOf = ({ source }: Pick<ServiceContext<DataConfig>, 'source'>) =>
    database.isForeign ? source : { PGRST_DB_EXTRA_SEARCH_PATH: SEARCHED_SCHEMAS, ...source };
  const instance = openDataInstance({
    url: database.urlOf(AUTHENTICATOR_ROLE),
    listen: database.listen,
    environment: environmentOf(context),
    anonRole: database.isForeign ? undefined : ANON_ROLE,
    publicUrl: `${addresses.externalUrl}${PREFIX}`,
    verifyOwn: keys && keyringVerifier(keys.accessTokens),
    log,
    pools: database.pools,
  });
  return {
    routes: [
      {
        prefix: PREFIX,
        plugin: (server) => dataPlugin(server, { instance }),
        openPaths: [],
        cors: corsRules(instance),
      },
    ],
    upgrades: [],
    health: { data: () => instance.requireReady() },
    metrics: undefined,
    waitUntilReady: () => instance.waitUntilLoaded(),
    reload: () => instance.reload(),
    prepareSettings: async (next) => ({ apply: () => instance.reloadWith(environmentOf(next)) }),
    close: () => instance.close(),
  };
}
