/** The PostgreSQL roles that the service connects as. */

/** The role that owns the tables of deployed functions and of secrets, and has no other rights. */
export const FUNCTIONS_ROLE = 'greenroom_functions';
