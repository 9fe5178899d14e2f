/** Configurations of openid-client for providers: server metadata and client credentials. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  None,
} from 'openid-client';
import { baseOf, type Provider } from './provider.ts';
import { providerFetch } from './provider-fetch.ts';

/** Timeout of each request to a provider. */
const TIMEOUT_SECONDS = 4;
const MAX_CONNECTIONS = 100;
/** How long server metadata is cached. */
const CONNECTION_TTL_MS = 3_600_000;

const connections = new LRUCache<string, Promise<Configuration>>({
  max: MAX_CONNECTIONS,
  ttl: CONNECTION_TTL_MS,
});

/**
 * Returns the configuration of a provider, from the cache or by discovery. Rejects if the server cannot be
 * reached or is not an OAuth server.
 */
export async function connect(provider: Provider): Promise<Configuration> {
  const key = keyOf(provider);
  const connecting = connections.get(key) ?? createConnection(provider);
  connections.set(key, connecting, { noUpdateTTL: true });
  try {
    return await connecting;
  } catch (error) {
    connections.delete(key);
    throw error;
  }
}

/**
 * Returns a configuration that suffices to build the sign-in URL. For most providers it needs no discovery
 * request.
 */
export async function connectToSignInPage(provider: Provider): Promise<Configuration> {
  const { description, settings } = provider;
  const page = description.kind === 'oidc' ? description.signInPage?.(baseOf(provider)) : undefined;
  if (page === undefined) return connect(provider);
  const server = { issuer: new URL(page).origin, authorization_endpoint: page };
  const configuration = new Configuration(server, settings.clientIds[0]);
  if (isLoopback(new URL(page))) allowInsecureRequests(configuration);
  return configuration;
}

/** The key covers all inputs of a connection, since admins may change them at any time. */
function keyOf({ name, settings, description, mayBePrivate }: Provider): string {
  const endpoints =
    description.kind === 'oidc'
      ? [description.issuer(settings.url), description.discoveryUrl]
      : Object.values(description.endpoints(settings.url));
  const parts = [name, endpoints, settings.url, settings.clientIds[0], settings.secret, mayBePrivate];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Like {@link connect}, without the cache. */
export async function createConnection(provider: Provider): Promise<Configuration> {
  const { description, settings } = provider;
  const [clientId] = settings.clientIds;
  const authentication = clientAuthentication(provider);
  if (description.kind === 'oidc') {
    const server = new URL(description.discoveryUrl ?? description.issuer(baseOf(provider)));
    return discovery(server, clientId, undefined, authentication, {
      [customFetch]: providerFetch(provider.mayBePrivate),
      timeout: TIMEOUT_SECONDS,
      execute: isLoopback(server) ? [allowInsecureRequests] : [],
    });
  }
  const { authorization, token } = description.endpoints(baseOf(provider));
  const server = {
    issuer: new URL(authorization).origin,
    authorization_endpoint: authorization,
    token_endpoint: token,
  };
  const configuration = new Configuration(server, clientId, undefined, authentication);
  configuration.timeout = TIMEOUT_SECONDS;
  configuration[customFetch] = providerFetch(provider.mayBePrivate);
  if (isLoopback(new URL(token))) allowInsecureRequests(configuration);
  return configuration;
}

function clientAuthentication({ description, settings: { secret } }: Provider): ClientAuth {
  if (secret === undefined) return None();
  return description.clientAuthentication === 'basic' ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

/** Only loopback addresses are allowed without TLS. */
function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
