/** Roles of members. The policies of the database enforce them; pages hide controls that the policies would refuse. */
import type { Database } from '../../../database.types.ts';

/** Role of a member. */
export type Role = Database['public']['Enums']['team_role'];

/** Names of the roles. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
};

/** Returns whether a role manages members and settings. */
export function isManager(role: Role): boolean {
  return role !== 'member';
}

/** Returns the roles that `own` may give to a member who has `role`; none if `own` may not change that member. */
export function grantableRoles(own: Role, role: Role): Role[] {
  if (own === 'owner') return ['owner', 'admin', 'member'];
  return own === 'admin' && role !== 'owner' ? ['admin', 'member'] : [];
}

/** Returns the value of a form as a role; undefined for other values. */
export function parseRole(value: unknown): Role | undefined {
  return value === 'owner' || value === 'admin' || value === 'member' ? value : undefined;
}
