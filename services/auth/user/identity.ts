/** Identities, i.e. a user's accounts at sign-in providers, as rows and in responses. */

/** The user's profile at a provider. For `email` and `phone` the provider is this service. */
export type IdentityData = Record<string, unknown>;

/** A row of `auth.identities`, read as JSON: times are text. */
export interface IdentityRow {
  id: string;
  provider_id: string;
  user_id: string;
  identity_data: IdentityData | null;
  provider: string;
  last_sign_in_at: string | null;
  created_at: string;
  updated_at: string;
  email: string | null;
}

/** An identity in responses. `id` is the provider's id of the user, `identity_id` the id of the row. */
export interface Identity {
  identity_id: string;
  id: string;
  user_id: string;
  identity_data: IdentityData | undefined;
  provider: string;
  last_sign_in_at: Date | undefined;
  created_at: Date;
  updated_at: Date;
  email: string | undefined;
}

/**
 * SQL: all identities of user `u`, oldest first, as a JSON array of {@link IdentityRow}, or null without
 * identities.
 */
export const identitiesOfUser = `(
  select json_agg(i order by i.created_at, i.provider, i.id) from auth.identities i where i.user_id = u.id
)`;

export function toIdentity(row: IdentityRow): Identity {
  return {
    identity_id: row.id,
    id: row.provider_id,
    user_id: row.user_id,
    identity_data: row.identity_data ?? undefined,
    provider: row.provider,
    last_sign_in_at: row.last_sign_in_at === null ? undefined : new Date(row.last_sign_in_at),
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
    email: row.email || undefined,
  };
}
