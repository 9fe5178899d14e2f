/**
 * `/operator/v1/keys`: the states of the keys, their rotation, and the public API keys. No route returns the secret key, the
 * service_role key, the secret of tokens or the URL of the database: `greenroom status` prints them.
 */
import type { ApiKeys } from '@greenroom/keys';
import { z } from 'zod';
import type { Config } from '../../settings.ts';
import { revokeKeyOf, rotateKeys, signingKeyStates } from '../../signing-keys.ts';
import { failure } from '../errors.ts';
import { parseRequest } from '../parse-request.ts';
import type { OperatorRoutes } from '../plugin.ts';

/** The parts that the routes use. */
interface KeysRoutesParts {
  config: Config;
  keys: ApiKeys;
}

const revealed = z.strictObject({ name: z.enum(['publishable', 'anon']) });
const rotation = z.strictObject({ immediately: z.boolean().default(false) });
const revocation = z.strictObject({ kid: z.string().min(1).max(200) });

/** Registers the routes. */
export function keysRoutes({ config, keys }: KeysRoutesParts): OperatorRoutes {
  return (server) => {
    server.get('/keys', async () => {
      const { configuredBy, keys: states } = await signingKeyStates(config);
      return {
        configured_by: configuredBy ?? null,
        uses_cli_keys: config.usesCliKeys,
        signs_with_secret: config.ownAlgorithm === 'HS256',
        signing_keys: states.map(({ kid, algorithm, state, createdAt }) => ({
          kid,
          algorithm,
          state,
          created_at: createdAt ?? null,
        })),
      };
    });
    server.post('/keys/reveal', async (request) => ({
      value: keys[parseRequest(revealed, request.body).name],
    }));
    server.post('/keys/rotate', async (request) => {
      const { immediately } = parseRequest(rotation, request.body);
      return linesOf(() => rotateKeys(config, { immediately }));
    });
    server.post('/keys/revoke', async (request) => {
      const { kid } = parseRequest(revocation, request.body);
      return linesOf(() => revokeKeyOf(config, kid));
    });
  };
}

/** The messages of refusals are those of `greenroom keys`. */
async function linesOf(work: () => Promise<string[]>): Promise<{ lines: string[] }> {
  try {
    return { lines: await work() };
  } catch (error) {
    throw failure('key_not_changed', { message: (error as Error).message, cause: error });
  }
}
