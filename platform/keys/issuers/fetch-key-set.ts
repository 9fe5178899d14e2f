/**
 * Fetches the keys of an issuer: its discovery document (OpenID Connect Discovery 1.0 §4), then the key set that the
 * document names (RFC 7517 §5).
 */
import { fetchJson } from '@greenroom/network';
import type { JSONWebKeySet, JWK } from 'jose';
import { isSameIssuer, type TrustedIssuer } from './trusted-issuer.ts';

const DISCOVERY_PATH = '/.well-known/openid-configuration';
const TIMEOUT_MS = 5000;
/** Far larger than any legitimate document. */
const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;
/** Key types of asymmetric algorithms. A shared secret (`oct`) cannot be published. */
const KEY_TYPES: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'OKP']);

/** Rejects with an error whose message names the document that cannot be used, and the reason. */
export async function fetchKeySet({ url }: Pick<TrustedIssuer, 'url'>): Promise<JSONWebKeySet> {
  const discovery = url + DISCOVERY_PATH;
  // The operator has configured this URL, so it may be in a private network.
  const { issuer, jwks_uri: uri } = await fetchObject(discovery, true);
  if (!isSameIssuer(issuer, url)) throw new Error(`${discovery}: its issuer is not ${url}`);
  if (typeof uri !== 'string' || !isAllowed(uri, url)) {
    throw new Error(`${discovery}: jwks_uri is not an https:// URL`);
  }
  const { keys } = await fetchObject(uri, isSameOrigin(uri, url));
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) throw new Error(`${uri}: not a set of keys`);
  return { keys: keys.filter(isUsable) };
}

/** A key set on another server must be on the public internet, because the operator has not configured that server. */
async function fetchObject(url: string, mayBePrivate: boolean): Promise<Record<string, unknown>> {
  const options = { mayBePrivate, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const value = await fetchJson(url, options).catch((error: unknown) => {
    throw new Error(`${url}: ${reasonOf(error)}`, { cause: error });
  });
  if (typeof value !== 'object' || value === null) throw new Error(`${url}: not a JSON object`);
  return value as Record<string, unknown>;
}

/** `fetch` hides the reason of a failed connection in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

function isAllowed(uri: string, issuer: string): boolean {
  return URL.canParse(uri) && (new URL(uri).protocol === 'https:' || isSameOrigin(uri, issuer));
}

function isSameOrigin(uri: string, issuer: string): boolean {
  return new URL(uri).origin === new URL(issuer).origin;
}

function isUsable(key: unknown): key is JWK {
  if (typeof key !== 'object' || key === null) return false;
  const { kty, kid } = key as Record<string, unknown>;
  return KEY_TYPES.has(kty) && typeof kid === 'string' && kid !== '';
}
