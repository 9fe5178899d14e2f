/**
 * Authentication: accounts, sessions and tokens over the wire protocol of GoTrue.
 */
export { authService } from './service.ts';
