/** The PostgreSQL roles that the service connects as. */

/** The role that owns the audit log, and has no other rights. */
export const META_ROLE = 'greenroom_meta';
