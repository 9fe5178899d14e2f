/** Roles of the database that the service logs in with. */

/** Role that switches to the roles of requests. */
export const AUTHENTICATOR_ROLE = 'authenticator';
