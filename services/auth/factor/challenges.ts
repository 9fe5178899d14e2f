/** Statements for challenges of second factors, and the check whether a challenge is still open. */
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { inetOf } from '../session/open.ts';

/** A challenge to insert. */
export interface NewChallenge {
  id: string;
  factorId: string;
  /** Hash of the sent code. */
  code?: string;
  /** Data that the authenticator signs. */
  webauthn?: object;
}

/** Inserts a challenge, and updates `last_challenged_at` of the factor. */
export function insertChallenge(
  { id, factorId, code, webauthn }: NewChallenge,
  request: AuthRequest,
  now: Date,
): Statement[] {
  return [
    {
      name: 'auth_insert_challenge',
      text: `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
        values ($1, $2, $3, $4::inet, $5, $6)`,
      values: [
        id,
        factorId,
        now,
        inetOf(request.address) ?? '0.0.0.0',
        code ?? null,
        webauthn === undefined ? null : JSON.stringify(webauthn),
      ],
    },
    {
      // Uses the database's clock, because the column is unique and that clock has microseconds.
      name: 'auth_note_challenge',
      text: 'update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $1',
      values: [factorId],
    },
  ];
}

/** A challenge with the secrets of its factor. */
export interface LockedChallenge {
  id: string;
  created_at: Date;
  verified_at: Date | null;
  is_same_address: boolean;
  otp_code: string | null;
  webauthn: { challenge: string; user_verification?: string } | null;
  /** Failed attempts at this challenge. */
  failures: number;
  /** Failed attempts for this factor: the level of a leaky bucket at the time of the last one. */
  factor_failures: number;
  factor_failed_at: Date | null;
  status: 'unverified' | 'verified';
  /** Whether the user has another verified factor. */
  has_other_factor: boolean;
  secret: string | null;
  credential: Record<string, unknown> | null;
}

/**
 * Locks a factor and one of its challenges. Returns a {@link LockedChallenge} or no row. The lock on the factor prevents
 * that answers to two challenges use the same code.
 */
export function lockChallenge(challengeId: string, factorId: string, address: string): Statement {
  return {
    name: 'auth_lock_challenge',
    text: `select c.id, c.created_at, c.verified_at, c.ip_address = $3::inet as is_same_address, c.otp_code,
        c.web_authn_session_data as webauthn, c.failures, f.failures as factor_failures,
        f.failed_at as factor_failed_at, f.status, f.secret, f.web_authn_credential as credential,
        exists (
          select from auth.mfa_factors o where o.user_id = f.user_id and o.id <> f.id and o.status = 'verified'
        ) as has_other_factor
      from auth.mfa_factors f join auth.mfa_challenges c on c.factor_id = f.id
      where f.id = $2 and c.id = $1 for update of f, c`,
    values: [challengeId, factorId, inetOf(address) ?? '0.0.0.0'],
  };
}

/** Throws `mfa_factor_not_found` (422), `mfa_ip_address_mismatch` or `mfa_challenge_expired`. */
export function requireOpen(
  challenge: LockedChallenge | undefined,
  { config, now }: AuthContext,
): asserts challenge is LockedChallenge {
  if (challenge === undefined) {
    const message = 'MFA factor with the provided challenge ID not found';
    throw failure('mfa_factor_not_found', { status: 422, message });
  }
  if (challenge.verified_at !== null || !challenge.is_same_address) throw failure('mfa_ip_address_mismatch');
  if (challenge.created_at.getTime() + config.factors.challengeMs < now().getTime()) {
    const message = `MFA challenge ${challenge.id} has expired, verify against another challenge or create a new challenge.`;
    throw failure('mfa_challenge_expired', { message });
  }
}
