/** Statements that create, change and delete SSO providers. */
import type { Statement } from '@greenroom/postgres';
import type { ProviderFields } from './sso-provider-fields.ts';
import type { Metadata } from './sso-provider-metadata.ts';

/** Inserts a provider without domains. */
export function insertProvider(
  id: string,
  metadata: Metadata,
  { resourceId, disabled, attributeMapping, nameIdFormat }: ProviderFields,
  now: Date,
): Statement[] {
  return [
    {
      name: 'auth_insert_sso_provider',
      text: `insert into auth.sso_providers (id, resource_id, disabled, created_at, updated_at)
        values ($1, $2, $3, $4, $4)`,
      values: [id, resourceId ?? null, disabled ?? false, now],
    },
    {
      name: 'auth_insert_saml_provider',
      text: `insert into auth.saml_providers (id, sso_provider_id, entity_id, metadata_xml, metadata_url,
          attribute_mapping, name_id_format, created_at, updated_at)
        values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $7)`,
      values: [
        id,
        metadata.entityId,
        metadata.xml,
        metadata.url,
        JSON.stringify(attributeMapping ?? {}),
        nameIdFormat || null,
        now,
      ],
    },
  ];
}

/** Changes the defined fields of a provider. Requires that new metadata have the same entity id. */
export function updateProvider(id: string, fields: ProviderFields, now: Date): Statement[] {
  const { resourceId, disabled, metadata, attributeMapping, nameIdFormat } = fields;
  return [
    {
      name: 'auth_update_sso_provider',
      text: `update auth.sso_providers set
          resource_id = coalesce($2, resource_id), disabled = coalesce($3, disabled), updated_at = $4
        where id = $1`,
      values: [id, resourceId ?? null, disabled ?? null, now],
    },
    {
      name: 'auth_update_saml_provider',
      text: `update auth.saml_providers set
          metadata_xml = coalesce($2, metadata_xml),
          metadata_url = case when $2::text is null then metadata_url else $3 end,
          attribute_mapping = coalesce($4::jsonb, attribute_mapping),
          name_id_format = case when $5::text is null then name_id_format else nullif($5, '') end,
          updated_at = case when $2::text is null then updated_at else $6 end
        where sso_provider_id = $1`,
      values: [
        id,
        metadata?.xml ?? null,
        metadata?.url ?? null,
        attributeMapping === undefined ? null : JSON.stringify(attributeMapping),
        nameIdFormat ?? null,
        now,
      ],
    },
  ];
}

/** Replaces the domains of a provider. Fails if another provider has one of them. */
export function replaceDomains(id: string, domains: readonly string[], now: Date): Statement[] {
  return [
    {
      name: 'auth_delete_sso_domains',
      text: 'delete from auth.sso_domains where sso_provider_id = $1 and not (lower(domain) = any ($2::text[]))',
      values: [id, domains],
    },
    {
      name: 'auth_insert_sso_domains',
      text: `insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at)
        select gen_random_uuid(), $1, wanted.name, $3, $3 from unnest($2::text[]) wanted (name)
        where not exists (
          select from auth.sso_domains d where d.sso_provider_id = $1 and lower(d.domain) = wanted.name
        )`,
      values: [id, domains, now],
    },
  ];
}

/** Deletes a provider and its domains. Its accounts stay, but cannot be signed in to. */
export function deleteProvider(id: string): Statement {
  return {
    name: 'auth_delete_sso_provider',
    text: 'delete from auth.sso_providers where id = $1 returning id',
    values: [id],
  };
}
