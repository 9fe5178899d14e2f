/**
 * OAuth clients, i.e. applications that users sign in to with their account of this service: as rows and in
 * responses (RFC 7591 §2).
 */
import { hash, randomBytes } from 'node:crypto';
import { failure } from '../errors.ts';
import { isUuid } from '../http/uuid.ts';

/** Methods of client authentication at the token endpoint. */
export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;
export type ClientAuthMethod = (typeof AUTH_METHODS)[number];

export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** A public client runs where its users can read its code, so it has no secret (RFC 6749 §2.1). */
export type ClientType = 'public' | 'confidential';

const SECRET_BYTES = 32;

/** A row of `auth.oauth_clients`. Lists are separated by commas, as in GoTrue. */
export interface ClientRow {
  id: string;
  client_secret_hash: string | null;
  registration_type: 'dynamic' | 'manual';
  redirect_uris: string;
  grant_types: string;
  client_name: string | null;
  client_uri: string | null;
  logo_uri: string | null;
  created_at: Date;
  updated_at: Date;
  client_type: ClientType;
  token_endpoint_auth_method: ClientAuthMethod;
}

/** SQL: the columns of {@link ClientRow} for client `c`. */
export const clientColumns = `c.id, c.client_secret_hash, c.registration_type, c.redirect_uris, c.grant_types,
  c.client_name, c.client_uri, c.logo_uri, c.created_at, c.updated_at, c.client_type, c.token_endpoint_auth_method`;

/** A client in responses. Only the response to its creation contains the secret. */
interface Client {
  client_id: string;
  client_secret: string | undefined;
  client_type: ClientType;
  redirect_uris: string[];
  token_endpoint_auth_method: ClientAuthMethod;
  grant_types: string[];
  response_types: ['code'];
  client_name: string | undefined;
  client_uri: string | undefined;
  logo_uri: string | undefined;
  registration_type: 'dynamic' | 'manual';
  created_at: Date;
  updated_at: Date;
}

export function toClient(row: ClientRow, secret?: string): Client {
  return {
    client_id: row.id,
    client_secret: secret,
    client_type: row.client_type,
    redirect_uris: redirectUrisOf(row),
    token_endpoint_auth_method: row.token_endpoint_auth_method,
    grant_types: row.grant_types.split(','),
    response_types: ['code'],
    client_name: row.client_name || undefined,
    client_uri: row.client_uri || undefined,
    logo_uri: row.logo_uri || undefined,
    registration_type: row.registration_type,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A client as shown to users who decide about a consent. */
interface ClientSummary {
  id: string;
  name: string | undefined;
  uri: string | undefined;
  logo_uri: string | undefined;
}

export function toClientSummary(
  row: Pick<ClientRow, 'client_name' | 'client_uri' | 'logo_uri'> & { client_id: string },
): ClientSummary {
  return {
    id: row.client_id,
    name: row.client_name || undefined,
    uri: row.client_uri || undefined,
    logo_uri: row.logo_uri || undefined,
  };
}

/** Returns the registered redirect URIs, none of which contains a comma. */
export function redirectUrisOf({ redirect_uris }: Pick<ClientRow, 'redirect_uris'>): string[] {
  return redirect_uris.split(',');
}

export function allowsGrant({ grant_types }: Pick<ClientRow, 'grant_types'>, grant: GrantType): boolean {
  return grant_types.split(',').includes(grant);
}

export function randomClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns the hash under which a secret is stored. A salt or a slow hash is not needed for 256 random bits. */
export function hashClientSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Returns the client id in lower case. Throws `validation_failed`. */
export function parseClientId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw failure('validation_failed', {
    message: text === '' ? 'client_id is required' : 'invalid client_id format',
  });
}
