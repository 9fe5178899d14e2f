/** Work that SQL requests and that happens after its transaction: HTTP requests and database webhooks. */
export { jobsService } from './service.ts';
