/**
 * Authentication: accounts, sessions and tokens over the wire protocol of GoTrue.
 */
export { authErrors } from './errors.ts';
export { type AuthServiceOptions, authMigrations, authService } from './service.ts';
