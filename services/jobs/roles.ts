/** The PostgreSQL roles that the service connects as. */

/** The role that owns the tables of the extension pg_net, and has no other rights. */
export const NET_ROLE = 'greenroom_net';
