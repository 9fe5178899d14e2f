/** The searches of the command palette, for tests on a database. */
export { relationSql } from '../tables/find-sql.ts';
export { nameSql, startSql } from '../users/find-sql.ts';
export { findUsers } from '../users/find-users.server.ts';
