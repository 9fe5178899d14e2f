/** Connections to providers, by openid-client: what their servers are like, and how this service is known there. */
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

/** Of one request to a provider. */
const TIMEOUT_SECONDS = 4;
const MAX_CONNECTIONS = 100;
/** What was discovered is believed for so long. */
const CONNECTION_TTL_MS = 3_600_000;

const known = new LRUCache<string, Promise<Configuration>>({ max: MAX_CONNECTIONS, ttl: CONNECTION_TTL_MS });

/** Connects to a provider; rejects where its server cannot be reached or is no such server. */
export async function connect(provider: Provider): Promise<Configuration> {
  const key = keyOf(provider);
  const connected = known.get(key) ?? open(provider);
  known.set(key, connected, { noUpdateTTL: true });
  try {
    return await connected;
  } catch (error) {
    known.delete(key);
    throw error;
  }
}

/** As far as it takes to send somebody to the sign-in page, which for most providers is known without asking them. */
export async function connectToSignInPage(provider: Provider): Promise<Configuration> {
  const { description, settings } = provider;
  const page = description.kind === 'oidc' ? description.signInPage?.(baseOf(provider)) : undefined;
  if (page === undefined) return connect(provider);
  const server = { issuer: new URL(page).origin, authorization_endpoint: page };
  const configuration = new Configuration(server, settings.clientIds[0]);
  if (isLoopback(new URL(page))) allowInsecureRequests(configuration);
  return configuration;
}

/** Of all that a connection depends on: admins may change it at any time. */
function keyOf({ name, settings, description, mayBePrivate }: Provider): string {
  const places =
    description.kind === 'oidc'
      ? [description.issuer(settings.url), description.discoveryUrl]
      : Object.values(description.endpoints(settings.url));
  const parts = [name, places, settings.url, settings.clientIds[0], settings.secret, mayBePrivate];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

async function open(provider: Provider): Promise<Configuration> {
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

/** Nothing but the machine itself is spoken to without TLS. */
function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
