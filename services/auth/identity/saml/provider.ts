/** SSO providers, as rows. */
import type { Statement } from '@greenroom/postgres';
import type { AttributeMapping } from './attribute-mapping.ts';

/** A row of `auth.sso_providers` with its SAML configuration and domains. */
export interface ProviderRow {
  id: string;
  resource_id: string | null;
  disabled: boolean | null;
  created_at: Date | null;
  updated_at: Date | null;
  entity_id: string;
  metadata_xml: string;
  metadata_url: string | null;
  /** When the metadata were last written or fetched. */
  metadata_at: Date | null;
  attribute_mapping: AttributeMapping | null;
  name_id_format: string | null;
  domains: string[];
}

const COLUMNS = `p.id, p.resource_id, p.disabled, p.created_at, p.updated_at, s.entity_id, s.metadata_xml,
  s.metadata_url, s.updated_at as metadata_at, s.attribute_mapping, s.name_id_format,
  array(select d.domain from auth.sso_domains d where d.sso_provider_id = p.id order by d.domain) as domains`;

const FROM = 'from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id';

/** Returns a {@link ProviderRow} or no row. */
export function findProvider(id: string): Statement {
  return {
    name: 'auth_sso_provider',
    text: `select ${COLUMNS} ${FROM} where p.id = $1`,
    values: [id],
  };
}

/** Finds a provider by its resource id. Returns a {@link ProviderRow} or no row. */
export function findProviderByResource(resourceId: string): Statement {
  return {
    name: 'auth_sso_provider_by_resource',
    text: `select ${COLUMNS} ${FROM} where lower(p.resource_id) = lower($1)`,
    values: [resourceId],
  };
}

/** Finds a provider by an email domain. Returns a {@link ProviderRow} or no row. */
export function findProviderByDomain(domain: string): Statement {
  return {
    name: 'auth_sso_provider_by_domain',
    text: `select ${COLUMNS} ${FROM}
      where p.id = (select d.sso_provider_id from auth.sso_domains d where lower(d.domain) = lower($1))`,
    values: [domain],
  };
}

/** Finds a provider by entity id. Returns a {@link ProviderRow} or no row. */
export function findProviderByEntity(entityId: string): Statement {
  return {
    name: 'auth_sso_provider_by_entity',
    text: `select ${COLUMNS} ${FROM} where s.entity_id = $1`,
    values: [entityId],
  };
}

/** Returns all providers, oldest first. Empty filters match all. */
export function listProviders(resourceId: string, resourcePrefix: string): Statement {
  return {
    name: 'auth_sso_providers',
    text: `select ${COLUMNS} ${FROM}
      where ($1 = '' or p.resource_id = $1) and ($2 = '' or starts_with(p.resource_id, $2))
      order by p.created_at, p.id`,
    values: [resourceId, resourcePrefix],
  };
}

/** Returns the provider's name in `auth.identities` and `app_metadata`. */
export function providerName({ id }: Pick<ProviderRow, 'id'>): string {
  return `sso:${id}`;
}
