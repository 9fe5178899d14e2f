/** Runs SQL as the owner of the database for the admin area, and keeps the audit log of its changes. */
export { metaService } from './service.ts';
