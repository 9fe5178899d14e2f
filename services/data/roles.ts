/** The database role that the service logs in with. It switches to the role of each request. */
export const AUTHENTICATOR_ROLE = 'authenticator';
