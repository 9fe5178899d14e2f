/** Statements for custom providers. */
import type { Statement } from '@greenroom/postgres';

/** A row of `auth.custom_oauth_providers`. `client_secret` is encrypted. */
export interface CustomProviderRow {
  id: string;
  provider_type: 'oauth2' | 'oidc';
  identifier: string;
  name: string;
  client_id: string;
  client_secret: string;
  acceptable_client_ids: string[];
  scopes: string[];
  pkce_enabled: boolean;
  attribute_mapping: Record<string, unknown>;
  authorization_params: Record<string, string>;
  custom_claims_allowlist: string[];
  enabled: boolean;
  email_optional: boolean;
  issuer: string | null;
  discovery_url: string | null;
  skip_nonce_check: boolean;
  authorization_url: string | null;
  token_url: string | null;
  userinfo_url: string | null;
  jwks_uri: string | null;
  created_at: Date;
  updated_at: Date;
}

const WRITTEN_COLUMNS = [
  ...['id', 'provider_type', 'identifier', 'name', 'client_id', 'client_secret', 'acceptable_client_ids'],
  ...['scopes', 'pkce_enabled', 'attribute_mapping', 'authorization_params', 'custom_claims_allowlist'],
  ...['enabled', 'email_optional', 'issuer', 'discovery_url', 'skip_nonce_check', 'authorization_url'],
  ...['token_url', 'userinfo_url', 'jwks_uri'],
] as (keyof CustomProviderRow)[];
const columns = [...WRITTEN_COLUMNS, 'created_at', 'updated_at'].join(', ');

/** Returns a {@link CustomProviderRow} or no row. */
export function findCustomProviderRow(identifier: string): Statement {
  return {
    name: 'auth_custom_provider',
    text: `select ${columns} from auth.custom_oauth_providers where identifier = $1`,
    values: [identifier],
  };
}

/** Returns the providers of a type, or all for null, ordered by identifier. */
export function listCustomProviderRows(type: string | null): Statement {
  return {
    name: 'auth_custom_providers',
    text: `select ${columns} from auth.custom_oauth_providers
      where $1::text is null or provider_type = $1 order by identifier`,
    values: [type],
  };
}

/**
 * Inserts or updates a provider. Returns its row, or no row if a new one would exceed the quota. @param max
 * quota; 0 for none
 */
export function saveCustomProvider(
  row: Omit<CustomProviderRow, 'created_at' | 'updated_at'>,
  { isNew, max, now }: { isNew: boolean; max: number; now: Date },
): Statement {
  const values = WRITTEN_COLUMNS.map((column) => asParameter(row[column as keyof typeof row]));
  const placeholders = WRITTEN_COLUMNS.map((_column, index) => `$${index + 1}`);
  const at = WRITTEN_COLUMNS.length + 1;
  const count = '(select count(*) from auth.custom_oauth_providers)';
  return isNew
    ? {
        name: 'auth_insert_custom_provider',
        text: `insert into auth.custom_oauth_providers (${columns})
          select ${placeholders.join(', ')}, $${at}, $${at} where $${at + 1} = 0 or ${count} < $${at + 1}
          returning ${columns}`,
        values: [...values, now, max],
      }
    : {
        name: 'auth_update_custom_provider',
        text: `update auth.custom_oauth_providers
          set (${WRITTEN_COLUMNS.slice(1).join(', ')}, updated_at) = (${placeholders.slice(1).join(', ')}, $${at})
          where id = $1 returning ${columns}`,
        values: [...values, now],
      };
}

/** Deletes a provider. Returns one row, or none if it did not exist. */
export function deleteCustomProvider(identifier: string): Statement {
  return {
    name: 'auth_delete_custom_provider',
    text: 'delete from auth.custom_oauth_providers where identifier = $1 returning id',
    values: [identifier],
  };
}

/** Serialises objects for JSON columns; arrays are PostgreSQL arrays. */
function asParameter(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value;
}
