/** Statements for OAuth clients. Deleted clients keep their row, but are never returned. */
import type { Statement } from '@greenroom/postgres';
import type { ClientRow } from './client.ts';
import { clientColumns } from './client.ts';
import type { ClientChange, Registration } from './client-metadata.ts';

/** Returns a {@link ClientRow} or no row. */
export function findClient(id: string): Statement {
  return {
    name: 'auth_oauth_client',
    text: `select ${clientColumns} from auth.oauth_clients c where c.id = $1 and c.deleted_at is null`,
    values: [id],
  };
}

/** Like {@link findClient}, and locks the client until the transaction ends. */
export function lockClient(id: string): Statement {
  return {
    name: 'auth_lock_oauth_client',
    text: `select ${clientColumns} from auth.oauth_clients c where c.id = $1 and c.deleted_at is null for update`,
    values: [id],
  };
}

/** Returns the number of clients as `total`. */
export function countClients(): Statement {
  return {
    name: 'auth_count_oauth_clients',
    text: 'select count(*) as total from auth.oauth_clients c where c.deleted_at is null',
  };
}

/** Returns a page of {@link ClientRow}, newest first. */
export function listClients(limit: number, offset: number): Statement {
  return {
    name: 'auth_list_oauth_clients',
    text: `select ${clientColumns} from auth.oauth_clients c where c.deleted_at is null
      order by c.created_at desc, c.id desc limit $1 offset $2`,
    values: [limit, offset],
  };
}

/** The generated values of a new client. */
interface NewClient {
  id: string;
  secretHash: string | null;
  registrationType: ClientRow['registration_type'];
}

/** Returns the new {@link ClientRow}. */
export function insertClient(client: NewClient, registration: Registration, now: Date): Statement {
  return {
    name: 'auth_insert_oauth_client',
    text: `insert into auth.oauth_clients as c
        (id, client_secret_hash, registration_type, redirect_uris, grant_types, client_name, client_uri, logo_uri,
          client_type, token_endpoint_auth_method, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning ${clientColumns}`,
    values: [
      client.id,
      client.secretHash,
      client.registrationType,
      registration.redirectUris.join(','),
      registration.grantTypes.join(','),
      registration.name ?? null,
      registration.uri ?? null,
      registration.logoUri ?? null,
      registration.clientType,
      registration.authMethod,
      now,
    ],
  };
}

/** Returns the updated {@link ClientRow}. */
export function updateClient(id: string, change: ClientChange, now: Date): Statement {
  return {
    name: 'auth_update_oauth_client',
    text: `update auth.oauth_clients c set
        redirect_uris = coalesce($2, c.redirect_uris), grant_types = coalesce($3, c.grant_types),
        client_name = coalesce($4, c.client_name), client_uri = coalesce($5, c.client_uri),
        logo_uri = coalesce($6, c.logo_uri),
        token_endpoint_auth_method = coalesce($7, c.token_endpoint_auth_method), updated_at = $8
      where c.id = $1 and c.deleted_at is null returning ${clientColumns}`,
    values: [
      id,
      change.redirectUris?.join(',') ?? null,
      change.grantTypes?.join(',') ?? null,
      change.name ?? null,
      change.uri ?? null,
      change.logoUri ?? null,
      change.authMethod ?? null,
      now,
    ],
  };
}

/** Returns the updated {@link ClientRow}, or no row for a public client, which has no secret. */
export function replaceSecret(id: string, secretHash: string, now: Date): Statement {
  return {
    name: 'auth_replace_oauth_client_secret',
    text: `update auth.oauth_clients c set client_secret_hash = $2, updated_at = $3
      where c.id = $1 and c.deleted_at is null and c.client_type = 'confidential' returning ${clientColumns}`,
    values: [id, secretHash, now],
  };
}

/** Returns one row, or none if the client did not exist. */
export function deleteClient(id: string, now: Date): Statement {
  return {
    name: 'auth_delete_oauth_client',
    text: `update auth.oauth_clients set deleted_at = $2, updated_at = $2, client_secret_hash = null
      where id = $1 and deleted_at is null returning id`,
    values: [id, now],
  };
}

/** Ends the sessions of a client and deletes the consents that users gave it. */
export function endClientAccess(id: string): Statement[] {
  return [
    {
      name: 'auth_end_sessions_of_oauth_client',
      text: 'delete from auth.sessions where oauth_client_id = $1',
      values: [id],
    },
    {
      name: 'auth_delete_consents_of_oauth_client',
      text: 'delete from auth.oauth_consents where client_id = $1',
      values: [id],
    },
  ];
}
