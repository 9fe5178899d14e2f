/** The applications that people sign in to with their account here, for admins. */

import { makeAuditedChange } from '../audit/audited-change.ts';
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
  endAllOfClient,
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

/** With a secret in it: for nobody's cache. */
const SECRET = { 'cache-control': 'no-store' };

/** POST /admin/oauth/clients: makes one; its secret is told now and never again. */
export async function createOAuthClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireServerAdmin(context, request);
  const registration = checked(() => checkRegistration(parseBody(request.body, registrationFields)));
  const { row, secret } = await createClient(context, registration, 'manual', (id) =>
    note(context, request, { claims, action: 'oauth_client_created', id }),
  );
  return { status: 201, headers: SECRET, body: toClient(row, secret) };
}

/** GET /admin/oauth/clients: one page, the newest first. */
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

/** GET /admin/oauth/clients/:clientId. */
export async function getOAuthClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireServerAdmin(context, request);
  const [row] = await context.database.query<ClientRow>(findClient(clientIdOf(request)));
  if (row === undefined) throw noClient();
  return { status: 200, body: toClient(row) };
}

/** PUT /admin/oauth/clients/:clientId: changes what is sent. */
export async function updateOAuthClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireServerAdmin(context, request);
  const id = clientIdOf(request);
  const given = parseBody(request.body, changeFields);
  return context.database.transaction(async (tx) => {
    const [client] = await tx.query<ClientRow>(lockClient(id));
    if (client === undefined) throw noClient();
    const change = checked(() => checkChange(given, client.client_type));
    const [updated] = await tx.commit([
      updateClient(id, change, context.now()),
      ...note(context, request, { claims, action: 'oauth_client_updated', id }),
    ]);
    return { status: 200, body: toClient(updated?.[0] as unknown as ClientRow) };
  });
}

/** DELETE /admin/oauth/clients/:clientId: its sessions end, and nobody has allowed it anything any more. */
export async function deleteOAuthClient(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireServerAdmin(context, request);
  const id = clientIdOf(request);
  await makeAuditedChange(context.database, {
    change: deleteClient(id, context.now()),
    after: [...endAllOfClient(id), ...note(context, request, { claims, action: 'oauth_client_deleted', id })],
    missing: noClient,
  });
  return { status: 204 };
}

/** POST /admin/oauth/clients/:clientId/regenerate_secret: the old secret is good for nothing from now on. */
export async function regenerateOAuthClientSecret(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  const claims = await requireServerAdmin(context, request);
  const id = clientIdOf(request);
  const secret = randomClientSecret();
  return context.database.transaction(async (tx) => {
    const [client] = await tx.query<ClientRow>(lockClient(id));
    if (client === undefined) throw noClient();
    if (client.client_type === 'public') {
      throw failure('validation_failed', { message: 'Cannot regenerate secret for public client' });
    }
    const [replaced] = await tx.commit([
      replaceSecret(id, hashClientSecret(secret), context.now()),
      ...note(context, request, { claims, action: 'oauth_client_updated', id }),
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

function noClient() {
  return failure('oauth_client_not_found');
}

function checked<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw asValidationFailure(error);
  }
}

function note(
  context: AuthContext,
  request: AuthRequest,
  { claims, action, id }: { claims: Claims; action: AuditAction; id: string },
) {
  return writeAudit(context, request, [auditEntry(adminActor(claims), action, { oauth_client_id: id })]);
}
