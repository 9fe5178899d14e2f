/** The data API: tables and functions of a database over the wire protocol of PostgREST. */
export { dataService } from './service.ts';
