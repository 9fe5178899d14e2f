/** The roles of an embedded cluster that are not declared by migrations, named as on the hosted service. */

/** The bootstrap superuser. Greenroom logs in as this role for its own migrations. */
export const SUPERUSER = 'supabase_admin';
/** The owner of the database of the project. Not a superuser. */
export const PROJECT_OWNER = 'postgres';

/** Passwords of the roles. */
export interface RolePasswords {
  superuser: string;
  projectOwner: string;
  /** Other passwords that the project owner may have as the superuser of a cluster of an earlier version. */
  former: readonly string[];
}
