/** The PostgreSQL roles that the service connects as. */

/** The role that owns the tables of the extensions pg_net and pg_cron, and has no other rights. */
export const NET_ROLE = 'greenroom_net';
