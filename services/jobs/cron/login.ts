/** Logins of the owners of jobs. */
import pg from 'pg';
import type { Query } from '../query.ts';
import type { Job } from './tasks.ts';

/** A connection URL of the owner of a job in the database of the job, or why there is none. */
type Login = { url: string } | { refusal: string };

/** Finds the login of a job. */
export type FindLogin = (query: Query, job: Pick<Job, 'owner' | 'database'>) => Promise<Login>;

const READ_ROLE = `
  select rolsuper as "isSuperuser", rolcanlogin as "canLogIn" from pg_catalog.pg_roles where rolname = $1`;

/**
 * Creates the search. A command can undo SET ROLE and SET SESSION AUTHORIZATION, so a job runs only if the session itself is
 * authenticated as its owner.
 * @param ownerUrl connection URL of the owner of the database, whose password the instance knows; undefined: no login
 */
export function createFindLogin(ownerUrl: string | undefined): FindLogin {
  const known = ownerUrl === undefined ? undefined : new pg.Client({ connectionString: ownerUrl }).user;
  return async (query, { owner, database }) => {
    const [role] = await query<{ isSuperuser: boolean; canLogIn: boolean }>(READ_ROLE, [owner]);
    if (role === undefined) return { refusal: `role "${owner}" does not exist` };
    if (role.isSuperuser) return { refusal: `jobs of superusers such as "${owner}" are not run` };
    if (!role.canLogIn) return { refusal: `role "${owner}" can not log in` };
    if (ownerUrl === undefined || owner !== known) return { refusal: noLogin(owner, known) };
    const url = new URL(ownerUrl);
    url.pathname = `/${encodeURIComponent(database)}`;
    return { url: url.href };
  };
}

function noLogin(owner: string, known: string | undefined): string {
  const who = known === undefined ? '' : `; it runs jobs of "${known}"`;
  return `Greenroom has no password of role "${owner}"${who}`;
}
