/**
 * Renames the superuser of a cluster of an earlier version from `postgres` to `supabase_admin`, and creates a new `postgres`.
 * PostgreSQL never takes SUPERUSER from the bootstrap role, and renames no role that its own session runs as; hence a second
 * superuser, which exists only inside of the transaction.
 */
import { quoteIdentifier } from '../../identifier.ts';
import { recreateProjectOwner } from './create-project-owner.ts';
import { SUPERUSER } from './role-names.ts';

/**
 * The former `supabase_admin`, a role without a login. As long as it exists, objects have still to be handed over to the new
 * `postgres`.
 */
export const FORMER_ADMIN = 'supabase_admin_former';

const HELPER = 'greenroom_rename_superuser';

/**
 * Returns the statements for a session of the bootstrap role. They are applied in one transaction, so a cluster has either
 * the former roles or the new ones.
 * @param hasAdmin whether another role has the name `supabase_admin`
 */
export function renameSuperuser(bootstrapRole: string, hasAdmin: boolean): string[] {
  return [
    hasAdmin ? `alter role ${SUPERUSER} rename to ${FORMER_ADMIN}` : `create role ${FORMER_ADMIN}`,
    `create role ${HELPER} superuser`,
    `set session authorization ${HELPER}`,
    `alter role ${quoteIdentifier(bootstrapRole)} rename to ${SUPERUSER}`,
    'reset session authorization',
    `drop role ${HELPER}`,
    ...recreateProjectOwner(),
  ];
}
