/** Work that SQL requests and that happens after its transaction: cron jobs, HTTP requests and database webhooks. */
export { jobsService } from './service.ts';
