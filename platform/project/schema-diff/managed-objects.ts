/**
 * The objects that a comparison covers: those of the project. Schemas, roles, extensions and publications of the platform
 * are never part of a difference, except for policies and triggers that the project adds to tables of services.
 */
import type { FilterRule, Policy, Predicate } from '@supabase/pg-delta/policy';
import { PLATFORM_SCHEMAS, SERVICE_SCHEMAS } from '../platform-schemas.ts';

/** The owner of the project's objects. Differences of other owners are changes. */
export const PROJECT_OWNER = 'postgres';

/** Schemas whose functions triggers of the project call, also on tables of services. */
const CALLED_BY_PROJECTS = ['extensions', 'supabase_functions'];

/** Roles whose objects and default privileges belong to the platform. */
const PLATFORM_ROLES = [
  'anon',
  'authenticated',
  'authenticator',
  'dashboard_user',
  'greenroom_functions',
  'greenroom_net',
  'pgbouncer',
  'pgsodium_keyholder',
  'pgsodium_keyiduser',
  'pgsodium_keymaker',
  'pgtle_admin',
  'service_role',
  'supabase_admin',
  'supabase_auth_admin',
  'supabase_etl_admin',
  'supabase_functions_admin',
  'supabase_privileged_role',
  'supabase_read_only_user',
  'supabase_realtime_admin',
  'supabase_replication_admin',
  'supabase_storage_admin',
  'supabase_superuser',
];

/** Extensions that each new database contains. */
const PLATFORM_EXTENSIONS = [
  'pg_graphql',
  'pg_net',
  'pg_stat_statements',
  'pgsodium',
  'plpgsql',
  'supabase_vault',
];

/** The publication of realtime: the project decides about its tables only. */
const REALTIME_PUBLICATION = 'supabase_realtime';
const PLATFORM_PUBLICATIONS = [REALTIME_PUBLICATION, 'supabase_realtime_messages_publication'];

const SATELLITES = ['acl', 'comment', 'securityLabel'];
/** All kinds of changes. A rule with them hides changes and keeps the objects, so that others can refer to them. */
const ALL_CHANGES: Predicate = { verb: ['add', 'remove', 'set', 'link', 'unlink'] };

/**
 * Returns the objects to compare. The first rule that matches an object decides; an object without a rule is compared.
 * @param schemas compare only these schemas and their objects; undefined compares all
 */
export function managedObjects(schemas: readonly string[] | undefined): Policy {
  return {
    id: 'greenroom',
    assumedRoles: [...PLATFORM_ROLES, PROJECT_OWNER],
    assumedSchemas: [...PLATFORM_SCHEMAS],
    assumedPublications: [REALTIME_PUBLICATION],
    defaultOwner: PROJECT_OWNER,
    filter: [...(schemas === undefined ? [] : [outside([...schemas])]), ...INCLUDED, ...EXCLUDED],
  };
}

function outside(schemas: string[]): FilterRule {
  const inside: Predicate[] = [
    { schema: schemas },
    { all: [{ kind: 'schema' }, { name: schemas }] },
    { target: { schema: schemas } },
    { target: { kind: 'schema', name: schemas } },
  ];
  return { match: { all: [ALL_CHANGES, { not: { any: inside } }] }, action: 'exclude' };
}

const excluded = (...all: Predicate[]): FilterRule => ({ match: { all }, action: 'exclude' });
const included = (...all: Predicate[]): FilterRule => ({ match: { all }, action: 'include' });

const ofPlatform: Predicate = {
  any: [
    { target: { schema: [...PLATFORM_SCHEMAS] } },
    { target: { kind: 'schema', name: [...PLATFORM_SCHEMAS] } },
    { target: { kind: 'publication', name: PLATFORM_PUBLICATIONS } },
  ],
};

const INCLUDED: readonly FilterRule[] = [
  excluded({ kind: 'extension' }, { name: PLATFORM_EXTENSIONS }),
  included({ kind: 'extension' }, { verb: ['add', 'remove'] }),
  // Triggers of the platform call functions of its own schemas, in which projects cannot create any.
  included(
    { kind: 'trigger' },
    { schema: SERVICE_SCHEMAS },
    {
      not: {
        edgeTo: {
          kind: 'function',
          schema: PLATFORM_SCHEMAS.filter((name) => !CALLED_BY_PROJECTS.includes(name)),
        },
      },
    },
  ),
  // Services have no policies on their tables.
  included({ kind: 'policy' }, { schema: SERVICE_SCHEMAS }),
  included({ kind: 'comment' }, { target: { kind: ['policy', 'trigger'], schema: SERVICE_SCHEMAS } }),
];

const EXCLUDED: readonly FilterRule[] = [
  excluded({ kind: 'publication' }, { name: PLATFORM_PUBLICATIONS }),
  excluded({ kind: SATELLITES }, ofPlatform),
  excluded({ schema: [...PLATFORM_SCHEMAS] }),
  excluded({ kind: 'schema' }, { name: [...PLATFORM_SCHEMAS] }),
  excluded({ kind: 'eventTrigger' }),
  excluded({ owner: PLATFORM_ROLES }),
  excluded({ kind: 'defaultPrivilege' }, { idField: { field: 'role', glob: PLATFORM_ROLES } }),
  // Only superusers grant rights on foreign data wrappers.
  excluded({ kind: 'acl' }, { target: { kind: 'fdw' } }),
];
