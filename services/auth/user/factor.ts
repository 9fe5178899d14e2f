/** Second factors as rows and in responses. */

/** A row of `auth.mfa_factors` without its secrets, read as JSON: times are text. */
export interface FactorRow {
  id: string;
  created_at: string;
  updated_at: string;
  status: 'unverified' | 'verified';
  friendly_name: string | null;
  factor_type: 'totp' | 'phone' | 'webauthn';
  phone: string | null;
  last_challenged_at: string | null;
  web_authn_aaguid: string | null;
  last_webauthn_challenge_data: unknown;
}

/** A factor in responses. */
export interface Factor {
  id: string;
  created_at: Date;
  updated_at: Date;
  status: FactorRow['status'];
  friendly_name: string | undefined;
  factor_type: FactorRow['factor_type'];
  phone: string;
  last_challenged_at: Date | null;
  web_authn_aaguid: string | undefined;
  last_webauthn_challenge_data: unknown;
}

/** SQL: all factors of user `u`, oldest first, as a JSON array of {@link FactorRow}, or null without factors. */
export const factorsOfUser = `(
  select json_agg(json_build_object(
    'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'status', f.status,
    'friendly_name', f.friendly_name, 'factor_type', f.factor_type, 'phone', f.phone,
    'last_challenged_at', f.last_challenged_at, 'web_authn_aaguid', f.web_authn_aaguid,
    'last_webauthn_challenge_data', f.last_webauthn_challenge_data
  ) order by f.created_at, f.id)
  from auth.mfa_factors f where f.user_id = u.id
)`;

export function toFactor(row: FactorRow): Factor {
  return {
    id: row.id,
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
    status: row.status,
    friendly_name: row.friendly_name || undefined,
    factor_type: row.factor_type,
    phone: row.phone ?? '',
    last_challenged_at: row.last_challenged_at === null ? null : new Date(row.last_challenged_at),
    web_authn_aaguid: row.web_authn_aaguid ?? undefined,
    last_webauthn_challenge_data: row.last_webauthn_challenge_data ?? undefined,
  };
}
