/** Tables, roles, rights and policies, as the catalog of the database has them. */

/** The statements that rights and policies distinguish. */
export const VERBS = ['select', 'insert', 'update', 'delete'] as const;
export type Verb = (typeof VERBS)[number];

/** A role that requests can have. */
export interface RoleInfo {
  name: string;
  /** Whether row-level security never applies to it. */
  bypasses: boolean;
}

/** The part of a policy that its SQL defines. */
export interface PolicyDefinition {
  name: string;
  command: Verb | 'all';
  isPermissive: boolean;
  /** Names of roles; `public` means all. */
  roles: readonly string[];
  using: string | null;
  check: string | null;
}

/** A policy of a table. */
export interface Policy extends PolicyDefinition {
  /** Whether it applies to each of the roles, in their order. */
  appliesTo: readonly boolean[];
}

/** The kind of a relation. */
export type TableKind = 'table' | 'partitioned table' | 'foreign table' | 'view' | 'materialized view';

/** A table or view with its rights and policies. */
export interface TableInfo {
  schema: string;
  name: string;
  kind: TableKind;
  owner: string;
  hasRls: boolean;
  /** Whether row-level security applies to the owner, too. */
  isForced: boolean;
  /** Whether a view reads its tables with the rights of its caller. */
  isInvoker: boolean;
  /**
   * The rights of each role, in their order. Letters: `u` usage of the schema, `o` rights of the owner; `S`, `I`, `W` and `D` may
   * select, insert, update and delete; `s`, `i` and `w` only some columns.
   */
  rights: readonly string[];
  policies: readonly Policy[];
}

/** Returns whether policies can exist on a relation. */
export function canHavePolicies({ kind }: Pick<TableInfo, 'kind'>): boolean {
  return kind === 'table' || kind === 'partitioned table';
}

/** The name of a table. */
export interface TableName {
  schema: string;
  name: string;
}

/** Assurance level of a session. */
export type Assurance = 'aal1' | 'aal2';

/** A person, as the row of `auth.users` has them. */
export interface PersonRow {
  id: string;
  aud: string | null;
  role: string | null;
  email: string | null;
  phone: string | null;
  app_metadata: Record<string, unknown> | null;
  user_metadata: Record<string, unknown> | null;
  is_anonymous: boolean;
}

/** A column of a table. */
export interface ColumnInfo {
  name: string;
  type: string;
  /** Whether an insert must contain it. */
  isRequired: boolean;
  isGenerated: boolean;
}
