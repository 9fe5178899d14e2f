/** Prometheus metrics of authentication. */
import { Counter, type Registry } from 'prom-client';

/** Metrics of one node. */
export interface AuthMetrics {
  /** Sign-ins that failed, by method and error code; also those that end in a redirect. */
  signInFailures: Counter<'method' | 'reason'>;
}

/** Adds the metrics to a registry. */
export function createAuthMetrics(registry: Registry): AuthMetrics {
  return {
    signInFailures: new Counter({
      name: 'greenroom_auth_sign_in_failures_total',
      help: 'Sign-ins that failed, by method and error code',
      labelNames: ['method', 'reason'],
      registers: [registry],
    }),
  };
}

/** Values of `grant_type` that sign in; `refresh_token` continues a session. */
const GRANTS = new Set(['password', 'pkce', 'id_token', 'web3']);

/** Path of an endpoint → method of the sign-ins that it ends. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['/verify', 'code'],
  ['/callback', 'provider'],
  ['/sso/saml/acs', 'saml'],
  ['/factors/:factorId/verify', 'factor'],
  ['/factors/recovery-codes/verify', 'recovery_code'],
  ['/passkeys/authentication/verify', 'passkey'],
]);

/** Returns the method of a sign-in, of a closed set; undefined if the endpoint ends no sign-in. */
export function signInMethodOf(path: string, query: URLSearchParams): string | undefined {
  if (path !== '/token') return METHODS.get(path);
  return grantOf(query);
}

/** Returns the operation of a request: the path of its endpoint, for `/token` with its grant. */
export function operationOf(path: string, query: URLSearchParams): string {
  const grant = query.get('grant_type') ?? '';
  const isKnown = path === '/token' && (GRANTS.has(grant) || grant === 'refresh_token');
  return isKnown ? `${path}?grant_type=${grant}` : path;
}

function grantOf(query: URLSearchParams): string | undefined {
  const grant = query.get('grant_type') ?? '';
  return GRANTS.has(grant) ? grant : undefined;
}
