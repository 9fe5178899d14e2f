/** The credentials of a request: its API key and its bearer token. Both are read here; only the key is verified. */
import type { ApiKeyIdentity, ApiKeyReader } from '@greenroom/keys';
import type { FastifyRequest } from 'fastify';
import { gatewayError } from './errors.ts';

/** The credentials of a request. */
interface Credentials {
  /** The identity of the API key; undefined if none was sent (and none is required). */
  apiKey: ApiKeyIdentity | undefined;
  /** The JWT of `Authorization: Bearer`, not verified. An opaque key is replaced by the JWT that it stands for. */
  bearer: string | undefined;
}

/** The credentials of a request that sends none. */
export const NO_CREDENTIALS: Credentials = Object.freeze({ apiKey: undefined, bearer: undefined });

declare module 'fastify' {
  interface FastifyRequest {
    credentials: Credentials;
    /**
     * Address of the visitor: of the connection, or from a header of a trusted proxy, of the app's own pages or of a
     * holder of the service key (`Sb-Forwarded-For`).
     */
    clientAddress: string;
    /**
     * Whether limits per client apply. False for the service key without a visitor's address, and for the loopback
     * while the public URL is loopback. Limits in total apply to every request.
     */
    isCounted: boolean;
  }
}

/** The role that bypasses row-level security. */
const SERVICE_ROLE = 'service_role';

/** RFC 6750 §2.1: `Bearer` (case-insensitive), blanks, token68. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** Options of {@link readCredentials}. */
export interface CredentialOptions {
  readApiKey: ApiKeyReader;
  requireApiKey: boolean;
}

/** Whether a request has anything for {@link readCredentials} to read. */
export function sendsCredentials(request: FastifyRequest): boolean {
  return request.headers.authorization !== undefined || sentApiKey(request) !== undefined;
}

/** Reads the credentials from the header `apikey` (or the query parameter of that name) and from `Authorization`. */
export async function readCredentials(
  request: FastifyRequest,
  options: CredentialOptions,
): Promise<Credentials> {
  const key = sentApiKey(request);
  const apiKey = key === undefined ? undefined : await options.readApiKey(key);
  if (options.requireApiKey && key === undefined) {
    throw gatewayError('api_key_missing', {
      extra: { hint: 'Send the anon or publishable key in the header or query parameter `apikey`.' },
    });
  }
  if (options.requireApiKey && apiKey === undefined) {
    throw gatewayError('api_key_invalid', {
      extra: { hint: 'Use one of the keys that `greenroom status` prints.' },
    });
  }
  return { apiKey, bearer: await bearerOf(request, options) };
}

/** Whether the API key or the bearer token is a service_role key; for paths outside of the services. */
export async function hasServiceRoleKey(request: FastifyRequest, readApiKey: ApiKeyReader): Promise<boolean> {
  const sent = [sentApiKey(request), sentBearer(request)].filter((key) => key !== undefined);
  const apiKeys = await Promise.all(sent.map(readApiKey));
  return apiKeys.some((apiKey) => apiKey?.role === SERVICE_ROLE);
}

/**
 * Whether a request comes from a holder of the service_role key, according to its API key or its bearer token. A token
 * is verified only if it claims the role, so that requests of users cost no second verification.
 */
export async function isFromServiceRole(
  { apiKey, bearer }: Credentials,
  readApiKey: ApiKeyReader,
): Promise<boolean> {
  if (apiKey?.role === SERVICE_ROLE) return true;
  if (bearer === undefined || !claimsServiceRole(bearer)) return false;
  return (await readApiKey(bearer))?.role === SERVICE_ROLE;
}

function claimsServiceRole(token: string): boolean {
  const [, payload = ''] = token.split('.', 2);
  return Buffer.from(payload, 'base64url').includes(SERVICE_ROLE);
}

function sentApiKey(request: FastifyRequest): string | undefined {
  const key = request.headers.apikey ?? keyOfQuery(request);
  const text = Array.isArray(key) ? key[0] : key;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Reads the query only if it may contain a key, because most services do not parse it otherwise. */
function keyOfQuery(request: FastifyRequest): unknown {
  const mayHaveKey = request.url.includes('apikey') || request.url.includes('%');
  return mayHaveKey ? (request.query as Record<string, unknown> | undefined)?.apikey : undefined;
}

async function bearerOf(request: FastifyRequest, options: CredentialOptions): Promise<string | undefined> {
  const token = sentBearer(request);
  if (token === undefined || !token.startsWith('sb_')) return token;
  return (await options.readApiKey(token))?.token;
}

function sentBearer(request: FastifyRequest): string | undefined {
  return BEARER.exec(request.headers.authorization ?? '')?.[1];
}
