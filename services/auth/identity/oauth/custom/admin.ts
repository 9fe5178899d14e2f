/** /admin/custom-providers: providers that admins add, change and remove at run time. */
import { randomUUID } from 'node:crypto';
import type { AuthContext } from '../../../context.ts';
import type { AuthRequest, AuthResponse } from '../../../contracts/request.ts';
import { failure } from '../../../errors.ts';
import { parseBody } from '../../../http/request-body.ts';
import { violatedUniqueConstraint } from '../../../lib/database-error.ts';
import { seal } from '../../../lib/secret-box.ts';
import { requireAdmin } from '../../../session/caller.ts';
import { applyFields, customProviderFields, requireComplete, requireIdentifier } from './fields.ts';
import {
  type CustomProviderRow,
  deleteCustomProvider,
  findCustomProviderRow,
  listCustomProviderRows,
  saveCustomProvider,
} from './statements.ts';

export async function listCustomProviders(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireCustomProviderAdmin(context, request);
  const type = request.query.get('type') || null;
  const rows = await context.database.query<CustomProviderRow>(listCustomProviderRows(type));
  return { status: 200, body: { providers: rows.map(toCustomProvider) } };
}

export async function createCustomProvider(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  await requireCustomProviderAdmin(context, request);
  const fields = parseBody(request.body, customProviderFields);
  const identifier = requireIdentifier(fields.identifier);
  const id = randomUUID();
  const draft = applyFields({ id, identifier }, fields);
  if (!fields.client_secret) throw failure('validation_failed', { message: 'client_secret is required' });
  const row = await save(
    context,
    { ...draft, client_secret: sealSecret(context, id, fields.client_secret) },
    true,
  );
  return { status: 201, body: toCustomProvider(row) };
}

export async function getCustomProvider(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireCustomProviderAdmin(context, request);
  return { status: 200, body: toCustomProvider(await targetProvider(context, request)) };
}

/** Changes a provider. Absent fields keep their value. */
export async function updateCustomProvider(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  await requireCustomProviderAdmin(context, request);
  const existing = await targetProvider(context, request);
  const fields = parseBody(request.body, customProviderFields);
  const secret = fields.client_secret;
  const client_secret = secret ? sealSecret(context, existing.id, secret) : existing.client_secret;
  const row = await save(context, { ...applyFields(existing, fields), client_secret }, false);
  return { status: 200, body: toCustomProvider(row) };
}

/** Removes a provider. Users who signed up with it keep their accounts. */
export async function removeCustomProvider(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  await requireCustomProviderAdmin(context, request);
  const [removed] = await context.database.query(deleteCustomProvider(request.params.identifier ?? ''));
  if (removed === undefined) throw failure('custom_provider_not_found');
  return { status: 204 };
}

async function requireCustomProviderAdmin(context: AuthContext, request: AuthRequest): Promise<void> {
  await requireAdmin(context, request);
  if (context.config.externalProviders.customProviders) return;
  throw failure('feature_disabled', { message: 'Custom providers are disabled' });
}

async function targetProvider(
  { database }: AuthContext,
  { params }: AuthRequest,
): Promise<CustomProviderRow> {
  const [row] = await database.query<CustomProviderRow>(findCustomProviderRow(params.identifier ?? ''));
  if (row === undefined) throw failure('custom_provider_not_found');
  return row;
}

async function save(
  { config, database, now }: AuthContext,
  draft: Omit<CustomProviderRow, 'created_at' | 'updated_at'>,
  isNew: boolean,
): Promise<CustomProviderRow> {
  requireComplete(draft);
  const { checkDiscovery } = await import('./discovery.ts');
  await checkDiscovery(draft, config.externalProviders.privateCustomProviders);
  const max = config.externalProviders.maxCustomProviders;
  const saving = database.query<CustomProviderRow>(saveCustomProvider(draft, { isNew, max, now: now() }));
  const [row] = await saving.catch((error: unknown) => {
    const isTaken = violatedUniqueConstraint(error) === 'custom_oauth_providers_identifier_key';
    const message = 'A provider with this identifier already exists';
    throw isTaken ? failure('conflict', { status: 400, message }) : error;
  });
  if (row !== undefined) return row;
  throw isNew ? failure('over_custom_provider_quota') : failure('custom_provider_not_found');
}

function sealSecret({ keys }: AuthContext, id: string, secret: string): string {
  return seal(secret, keys.derive('custom-providers'), id);
}

/** A provider in responses, without its secret. */
function toCustomProvider({ client_secret: _, ...row }: CustomProviderRow) {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(present);
}
