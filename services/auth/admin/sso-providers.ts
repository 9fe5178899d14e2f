/** /admin/sso/providers: the identity providers of organisations. They can be configured before SAML is enabled. */
import { randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { isUuid } from '../http/uuid.ts';
import {
  findProvider,
  findProviderByResource,
  listProviders,
  type ProviderRow,
} from '../identity/saml/provider.ts';
import { violatedUniqueConstraint } from '../lib/database-error.ts';
import { requireAdmin } from '../session/caller.ts';
import { readProviderFields } from './sso-provider-fields.ts';
import { deleteProvider, insertProvider, replaceDomains, updateProvider } from './sso-provider-statements.ts';

const RESOURCE = 'resource_';

/** Returns all providers without their metadata. */
export async function listSsoProviders(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  const filters = ['resource_id', 'resource_id_prefix'].map((name) => request.query.get(name) ?? '');
  if (filters.some((filter) => filter.includes('\0')))
    throw validationFailure('resource_id must not contain NUL');
  const [resourceId = '', prefix = ''] = filters;
  const list = listProviders(resourceId, prefix);
  const rows = await context.database.query<ProviderRow>(list);
  return { status: 200, body: { items: rows.map((row) => toProvider({ ...row, metadata_xml: '' })) } };
}

export async function createSsoProvider(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  const fields = await readProviderFields(context, request.body);
  const { metadata } = fields;
  if (fields.type !== 'saml') throw validationFailure("Only 'saml' supported for SSO provider type");
  if (metadata === undefined) throw validationFailure('Either metadata_xml or metadata_url must be set');
  const id = randomUUID();
  const now = context.now();
  const provider = await save(context, id, [
    ...insertProvider(id, metadata, fields, now),
    ...replaceDomains(id, fields.domains ?? [], now),
  ]);
  return { status: 201, body: toProvider(provider) };
}

export async function getSsoProvider(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  return { status: 200, body: toProvider(await targetProvider(context, request)) };
}

/** Changes the fields in the body. */
export async function updateSsoProvider(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  const existing = await targetProvider(context, request);
  const fields = await readProviderFields(context, request.body);
  const { metadata, domains } = fields;
  if (metadata !== undefined && metadata.entityId !== existing.entity_id) {
    const message = `SAML Metadata can be updated only if the EntityID matches for the provider; expected '${existing.entity_id}' but got '${metadata.entityId}'`;
    throw failure('saml_entity_id_mismatch', { message });
  }
  const now = context.now();
  const provider = await save(context, existing.id, [
    ...updateProvider(existing.id, fields, now),
    ...(domains === undefined ? [] : replaceDomains(existing.id, domains, now)),
  ]);
  return { status: 200, body: toProvider(provider) };
}

/** Deletes a provider and returns its former state. */
export async function deleteSsoProvider(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireAdmin(context, request);
  const existing = await targetProvider(context, request);
  const deleted = await context.database.query(deleteProvider(existing.id));
  if (deleted.length === 0) throw failure('sso_provider_not_found');
  return { status: 200, body: toProvider(existing) };
}

/** Finds the provider of the path by id or by `resource_<resource id>`. */
async function targetProvider({ database }: AuthContext, { params }: AuthRequest): Promise<ProviderRow> {
  const key = params.providerId ?? '';
  const find = key.startsWith(RESOURCE)
    ? findProviderByResource(key.slice(RESOURCE.length))
    : isUuid(key) && findProvider(key);
  const [provider] = find && !key.includes('\0') ? await database.query<ProviderRow>(find) : [];
  if (provider !== undefined) return provider;
  throw failure('sso_provider_not_found');
}

async function save(
  { database }: AuthContext,
  id: string,
  statements: readonly Statement[],
): Promise<ProviderRow> {
  const results = await database.batch([...statements, findProvider(id)]).catch((error: unknown) => {
    throw conflictOf(violatedUniqueConstraint(error)) ?? error;
  });
  const provider = results.at(-1)?.[0] as ProviderRow | undefined;
  if (provider !== undefined) return provider;
  throw failure('sso_provider_not_found');
}

function conflictOf(constraint: string | undefined): Error | undefined {
  if (constraint === 'saml_providers_entity_id_key') return failure('saml_idp_already_exists');
  if (constraint === 'sso_domains_domain_idx') return failure('sso_domain_already_exists');
  if (constraint === 'sso_providers_resource_id_idx') {
    return failure('conflict', {
      status: 422,
      message: 'resource_id is already used by another SSO provider',
    });
  }
  return undefined;
}

function toProvider(row: ProviderRow) {
  return {
    id: row.id,
    resource_id: row.resource_id ?? undefined,
    disabled: row.disabled ?? false,
    saml: {
      entity_id: row.entity_id,
      metadata_xml: row.metadata_xml || undefined,
      metadata_url: row.metadata_url ?? undefined,
      attribute_mapping: row.attribute_mapping ?? {},
      name_id_format: row.name_id_format ?? undefined,
    },
    domains: row.domains.map((domain) => ({ domain })),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function validationFailure(message: string) {
  return failure('validation_failed', { message });
}
