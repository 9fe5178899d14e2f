/** `experimental.webhooks.enabled`: the extension that triggers of database webhooks require. */
import type { Session } from '@greenroom/postgres';

/** Options of {@link enableWebhooks}. */
interface Webhooks {
  /** Undefined leaves the database as it is. */
  webhooks?: true | undefined;
  onProgress: (line: string) => void;
}

const STATE = `
  select to_regprocedure('supabase_functions.http_request()') is not null as has_function,
    exists (select from pg_catalog.pg_extension where extname = 'pg_net') as has_extension,
    exists (select from pg_catalog.pg_available_extensions where name = 'pg_net') as is_available`;

/**
 * Creates pg_net before the migrations if the database does not have it, e.g. because a migration has dropped it. Only says so
 * if the database cannot have webhooks.
 */
export async function enableWebhooks(session: Session, { webhooks, onProgress }: Webhooks): Promise<void> {
  if (webhooks === undefined) return;
  const [[state] = []] = await session.batch([{ text: STATE }]);
  if (state?.has_function && state.has_extension) return;
  if (!state?.has_function || !state.is_available) {
    onProgress(
      'warning: database webhooks (experimental.webhooks) have no effect, because the database has no extension pg_net',
    );
    return;
  }
  await session.batch([{ text: 'create extension pg_net with schema extensions' }]);
}
