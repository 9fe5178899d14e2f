/** Authenticates callers: verifies session tokens and extracts the role and claims that policies evaluate. */
import { type AccessTokens, JwtError } from '@greenroom/keys';
import { failure } from './errors.ts';

/** A caller with verified claims. */
export interface Caller {
  role: string;
  /** Claim `sub`, which owns what the caller writes; undefined if the token has none. */
  subject: string | undefined;
  /** JSON text of all claims. */
  claims: string;
  token: string;
}

/** The caller of requests that need no token and have none. */
export const ANONYMOUS: Caller = { role: 'anon', subject: undefined, claims: '{"role":"anon"}', token: '' };

/** The service itself, and requests signed with the instance's own keys. Bypasses row-level security. */
export const SERVICE_CALLER: Caller = {
  role: 'service_role',
  subject: undefined,
  claims: '{"role":"service_role"}',
  token: '',
};

/**
 * Roles that tokens must not name. `supabase_storage_admin` owns the tables, so policies do not apply to it. `none`
 * resets PostgreSQL's role to the login role, which is `supabase_storage_admin` as well.
 */
const REFUSED_ROLES: ReadonlySet<unknown> = new Set(['', 'none', 'supabase_storage_admin']);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Values of the columns `owner` and `owner_id`. `owner` is null unless the subject is a UUID. */
export function ownerOf({ subject }: Pick<Caller, 'subject'>): {
  owner: string | null;
  ownerId: string | null;
} {
  const ownerId = subject ?? null;
  return { owner: ownerId !== null && UUID.test(ownerId) ? ownerId : null, ownerId };
}

/**
 * Verifies a session token. Throws AccessDenied. Rejects links for single objects, which have no role. Tokens of third
 * parties without a role are anonymous, as in the hosted service.
 */
export type CallerReader = (token: string) => Promise<Caller>;

export function createCallerReader(keys: Pick<AccessTokens, 'verify' | 'isFromThirdParty'>): CallerReader {
  return async (token) => {
    const verified = await keys.verify(token).catch((error: unknown) => {
      throw error instanceof JwtError ? failure('AccessDenied', { message: textOf(error) }) : error;
    });
    const { role = keys.isFromThirdParty(verified) ? ANONYMOUS.role : undefined, sub } = verified;
    if (typeof role !== 'string' || REFUSED_ROLES.has(role)) {
      throw failure('AccessDenied', { message: 'The role of the token is missing or not allowed' });
    }
    const subject = typeof sub === 'string' && sub !== '' ? sub : undefined;
    return { role, subject, claims: claimsOf(token), token };
  };
}

/** Messages that clients of the hosted service match on. */
const TEXTS = {
  malformed: 'Invalid Compact JWS',
  signature: 'signature verification failed',
  expired: '"exp" claim timestamp check failed',
} as const;

function textOf({ reason, message }: JwtError): string {
  return reason === 'claims' ? message : TEXTS[reason];
}

function claimsOf(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
}
