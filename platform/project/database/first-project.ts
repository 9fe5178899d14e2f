/** The first start of a database with a project. A database that is in use then gets neither seeds nor objects of buckets. */
import type { Session } from '@greenroom/postgres';

/** Objects of users in `public`. Members of extensions, and what belongs to another object, do not count. */
const HAS_OBJECTS = `
  select exists (
    select from (
      select 'pg_class'::regclass as classid, oid as objid from pg_class
        where relnamespace = to_regnamespace('public') and relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'c')
      union all
      select 'pg_proc'::regclass, oid from pg_proc where pronamespace = to_regnamespace('public')
      union all
      select 'pg_type'::regclass, oid from pg_type
        where typnamespace = to_regnamespace('public') and typtype in ('d', 'e', 'r')
    ) object
    where not exists (
      select from pg_depend d
        where d.classid = object.classid and d.objid = object.objid and d.deptype = 'e'
    )
  ) as has_objects, to_regclass('auth.users') is not null as has_accounts`;

/**
 * Records that the database has a project. Returns whether this start is the first one with a project, and found data of
 * users; then seeds and objects are no longer due. Only the first call decides, since migrations create objects.
 */
export async function recordProject(session: Session): Promise<boolean> {
  const [[state] = []] = await session.batch([
    { text: 'select has_run_project, are_seeds_due from greenroom.project' },
  ]);
  if (state?.has_run_project !== false) return false;
  const isInUse = state.are_seeds_due === true && (await hasData(session));
  await session.batch([
    {
      text: `update greenroom.project set has_run_project = true,
        are_seeds_due = are_seeds_due and not $1, are_objects_due = are_objects_due and not $1`,
      values: [isInUse],
    },
  ]);
  return isInUse;
}

async function hasData(session: Session): Promise<boolean> {
  const [[found] = []] = await session.batch([{ text: HAS_OBJECTS }]);
  if (found?.has_objects === true) return true;
  if (found?.has_accounts !== true) return false;
  const [[users] = []] = await session.batch([
    { text: 'select exists (select from auth.users) as has_users' },
  ]);
  return users?.has_users === true;
}
