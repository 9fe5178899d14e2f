/**
 * Authentication: accounts, sessions and tokens over the wire protocol of GoTrue.
 */
export { authMigrations, authService } from './service.ts';
