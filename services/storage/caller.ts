/** Who a request comes from: what policies are asked about. */
import { JwtError, type Keys } from '@greenroom/keys';
import { failure } from './errors.ts';

/** A caller. Its claims have been verified. */
export interface Caller {
  role: string;
  /** Claim `sub`: the owner of what the caller writes; undefined where there is none. */
  subject: string | undefined;
  /** JSON text of all claims. */
  claims: string;
  token: string;
}

/** Of requests without a token, where none is needed. */
export const ANONYMOUS: Caller = { role: 'anon', subject: undefined, claims: '{"role":"anon"}', token: '' };

/** Storage itself, and requests that are signed with the instance's own keys. No policy applies to it. */
export const SERVICE_CALLER: Caller = {
  role: 'service_role',
  subject: undefined,
  claims: '{"role":"service_role"}',
  token: '',
};

/**
 * Roles that no token can have: the last is the owner of the tables, to whom policies do not apply, and `none` is
 * PostgreSQL's word for the login role, which is the same.
 */
const REFUSED_ROLES: ReadonlySet<unknown> = new Set(['', 'none', 'supabase_storage_admin']);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What goes into columns `owner` and `owner_id`. */
export function ownerOf({ subject }: Pick<Caller, 'subject'>): {
  owner: string | null;
  ownerId: string | null;
} {
  const ownerId = subject ?? null;
  return { owner: ownerId !== null && UUID.test(ownerId) ? ownerId : null, ownerId };
}

/** Verifies a session token. Throws AccessDenied. Links for one object have no role, and are no session tokens. */
export type CallerReader = (token: string) => Promise<Caller>;

/** Builds a reader. */
export function createCallerReader(keys: Pick<Keys, 'verify'>): CallerReader {
  return async (token) => {
    const { role, sub } = await keys.verify(token).catch((error: unknown) => {
      throw error instanceof JwtError ? failure('AccessDenied', { message: textOf(error) }) : error;
    });
    if (typeof role !== 'string' || REFUSED_ROLES.has(role)) {
      throw failure('AccessDenied', { message: 'The token has no role that storage can act as' });
    }
    const subject = typeof sub === 'string' && sub !== '' ? sub : undefined;
    return { role, subject, claims: claimsOf(token), token };
  };
}

/** Words that clients of the hosted service look for. */
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
