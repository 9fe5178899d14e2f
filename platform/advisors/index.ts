/** Advisors: lints that find problems of security and performance in the schema of a database. */
export { advise } from './advise.ts';
export type { Finding } from './lint.ts';
