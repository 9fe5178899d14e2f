/** Builds entries of the audit log. The batch that makes the change also writes its entry. */
import type { UserRow } from '../user/user.ts';

/** Audit action → log type. */
const LOG_TYPES = {
  login: 'account',
  logout: 'account',
  invite_accepted: 'account',
  user_signedup: 'team',
  user_invited: 'team',
  user_deleted: 'team',
  user_modified: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_confirmation_requested: 'user',
  user_repeated_signup: 'user',
  user_updated_password: 'user',
  identity_linked: 'user',
  identity_unlinked: 'user',
  passkey_created: 'user',
  passkey_updated: 'user',
  passkey_deleted: 'user',
  token_refreshed: 'token',
  token_revoked: 'token',
  factor_in_progress: 'factor',
  factor_unenrolled: 'factor',
  factor_deleted: 'factor',
  factor_updated: 'factor',
  recovery_codes_created: 'factor',
  recovery_code_used: 'factor',
  challenge_created: 'factor',
  verification_attempted: 'factor',
  oauth_client_created: 'oauth',
  oauth_client_updated: 'oauth',
  oauth_client_deleted: 'oauth',
} as const;

/** An action in the audit log. */
export type AuditAction = keyof typeof LOG_TYPES;

/** The user who performs an action. */
export type AuditActor = Pick<UserRow, 'id' | 'email' | 'phone' | 'is_sso_user' | 'raw_user_meta_data'>;

/** The payload of a row of `auth.audit_log_entries`. */
export interface AuditEntry {
  actor_id: string;
  actor_via_sso: boolean;
  actor_username: string;
  action: AuditAction;
  log_type: string;
  actor_name?: unknown;
  traits?: Record<string, unknown>;
}

/** Builds the entry for an action. `traits` are details of the action. */
export function auditEntry(
  actor: AuditActor,
  action: AuditAction,
  traits?: Record<string, unknown>,
): AuditEntry {
  const name = actor.raw_user_meta_data?.full_name;
  return {
    actor_id: actor.id,
    actor_via_sso: actor.is_sso_user,
    actor_username: actor.phone || actor.email || '',
    action,
    log_type: LOG_TYPES[action],
    ...(name === undefined ? {} : { actor_name: name }),
    ...(traits === undefined ? {} : { traits }),
  };
}
