/** Checks the database login on a database that Greenroom does not manage. */
import type { Database } from '@greenroom/postgres';

/**
 * Rejects unless the login owns the tables and is not a superuser. A superuser could become any role that a token
 * names; for any other role, policies would restrict the service's own statements.
 */
export async function requireOwner(database: Database): Promise<void> {
  const [login] = await database.query<{ role: string; isOwner: boolean; isSuperuser: boolean }>({
    text: `select current_user as role, rolsuper as "isSuperuser",
        exists (
          select from pg_class where relname = 'objects' and relnamespace = (
            select oid from pg_namespace where nspname = 'storage'
          ) and relowner = r.oid
        ) as "isOwner"
      from pg_roles as r where rolname = current_user`,
  });
  if (login?.isOwner && !login.isSuperuser) return;
  throw new Error(
    `DATABASE_URL: storage alone requires the role that owns storage.objects (supabase_storage_admin) and no superuser, but the role is "${login?.role}"`,
  );
}
