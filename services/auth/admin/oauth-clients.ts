/** Admin endpoints for OAuth clients: applications that users sign in to with their account of this service. */

import { createAuditedChange } from '../audit/audited-change.ts';
import { type AuditAction, auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { parseBody } from '../http/request-body.ts';
import {
  type ClientRow,
  hashClientSecret,
  parseClientId,
  randomClientSecret,
  toClient,
} from '../oauth-server/client.ts';
import {
  asValidationFailure,
  changeFields,
  checkChange,
  checkRegistration,
  registrationFields,
} from '../oauth-server/client-metadata.ts';
import {
  countClients,
  deleteClient,
  endClientAccess,
  findClient,
  listClients,
  lockClient,
  replaceSecret,
  updateClient,
} from '../oauth-server/client-statements.ts';
import { createClient } from '../oauth-server/create-client.ts';
import { requireOAuthServer } from '../oauth-server/enabled.ts';
import { type Claims, requireAdmin } from '../session/caller.ts';
import { offsetOf, pageHeaders, readPage } from './pagination.ts';
import { adminActor } from './target-user.ts';

/** Headers for responses that contain a client secret. */
const SECRET = { 'cache-control': 'no-store' };

/** POST /admin/oauth/clients: creates a client. Only this response contains its secret. */
export async function createOAuthClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireServerAdmin(context, request);
  const registration = checked(() => checkRegistration(parseBody(request.body, registrationFields)));
  const { row, secret } = await createClient(context, registration, 'manual', (id) =>
    audit(context, request, { claims, action: 'oauth_client_created', id }),
  );
  return { status: 201, headers: SECRET, body: toClient(row, secret) };
}

/** GET /admin/oauth/clients: returns one page of clients, newest first. */
export async function listOAuthClients(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireServerAdmin(context, request);
  const page = readPage(request.query);
  const [counted, rows] = await context.database.batch([
    countClients(),
    listClients(page.perPage, offsetOf(page)),
  ]);
  return {
    status: 200,
    headers: pageHeaders(request.target, page, Number(counted?.[0]?.total ?? 0)),
    body: {
      clients: (rows as unknown as ClientRow[]).map((row) => toClient(row)),
      aud: context.config.jwt.audience,
    },
  };
}

/** GET /admin/oauth/clients/:clientId: returns a client. */
export async function getOAuthClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireServerAdmin(context, request);
  const [row] = await context.database.query<ClientRow>(findClient(clientIdOf(request)));
  if (row === undefined) throw clientNotFound();
  return { status: 200, body: toClient(row) };
}

/** PUT /admin/oauth/clients/:clientId: changes the fields in the body. */
export async function updateOAuthClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireServerAdmin(context, request);
  const id = clientIdOf(request);
  const body = parseBody(request.body, changeFields);
  return context.database.transaction(async (tx) => {
    const [client] = await tx.query<ClientRow>(lockClient(id));
    if (client === undefined) throw clientNotFound();
    const change = checked(() => checkChange(body, client.client_type));
    const [updated] = await tx.commit([
      updateClient(id, change, context.now()),
      ...audit(context, request, { claims, action: 'oauth_client_updated', id }),
    ]);
    return { status: 200, body: toClient(updated?.[0] as unknown as ClientRow) };
  });
}

/** DELETE /admin/oauth/clients/:clientId: deletes a client, and ends its sessions and all consents body to it. */
export async function deleteOAuthClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireServerAdmin(context, request);
  const id = clientIdOf(request);
  await createAuditedChange(context.database, {
    change: deleteClient(id, context.now()),
    after: [
      ...endClientAccess(id),
      ...audit(context, request, { claims, action: 'oauth_client_deleted', id }),
    ],
    missing: clientNotFound,
  });
  return { status: 204 };
}

/**
 * POST /admin/oauth/clients/:clientId/regenerate_secret: replaces the secret. The old one stops working
 * immediately.
 */
export async function regenerateOAuthClientSecret(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  const claims = await requireServerAdmin(context, request);
  const id = clientIdOf(request);
  const secret = randomClientSecret();
  return context.database.transaction(async (tx) => {
    const [client] = await tx.query<ClientRow>(lockClient(id));
    if (client === undefined) throw clientNotFound();
    if (client.client_type === 'public') {
      throw failure('validation_failed', { message: 'Cannot regenerate secret for public client' });
    }
    const [replaced] = await tx.commit([
      replaceSecret(id, hashClientSecret(secret), context.now()),
      ...audit(context, request, { claims, action: 'oauth_client_updated', id }),
    ]);
    return { status: 200, headers: SECRET, body: toClient(replaced?.[0] as unknown as ClientRow, secret) };
  });
}

async function requireServerAdmin(context: AuthContext, request: AuthRequest): Promise<Claims> {
  const claims = await requireAdmin(context, request);
  requireOAuthServer(context);
  return claims;
}

function clientIdOf({ params }: AuthRequest): string {
  return parseClientId(params.clientId ?? '');
}

function clientNotFound() {
  return failure('oauth_client_not_found');
}

function checked<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw asValidationFailure(error);
  }
}

function audit(
  context: AuthContext,
  request: AuthRequest,
  { claims, action, id }: { claims: Claims; action: AuditAction; id: string },
) {
  return writeAudit(context, request, [auditEntry(adminActor(claims), action, { oauth_client_id: id })]);
}
