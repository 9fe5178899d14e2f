/** Hooks that are functions in a test's database, as projects define them. */
import type { ConfigSource } from '@greenroom/config';
import type { AuthServer } from './auth-server.ts';

/** The environment variables that connect a hook to a function of schema `public`. */
export function functionEnv(hook: string, name: string): ConfigSource {
  return {
    [`GOTRUE_HOOK_${hook}_ENABLED`]: 'true',
    [`GOTRUE_HOOK_${hook}_URI`]: `pg-functions://postgres/public/${name}`,
  };
}

/**
 * Creates a function with the parameter `event`.
 * @param body PL/pgSQL after BEGIN, or with its declarations
 */
export async function createFunction(
  { database }: AuthServer,
  name: string,
  body: string,
  returns = 'jsonb',
): Promise<void> {
  await database.admin.batch([
    {
      text: `create or replace function public."${name}"(event jsonb) returns ${returns} language plpgsql as $fn$ ${body} $fn$`,
    },
    { text: `revoke execute on function public."${name}" from public, anon, authenticated` },
    { text: `grant execute on function public."${name}" to supabase_auth_admin` },
    { text: 'grant usage on schema public to supabase_auth_admin' },
  ]);
}
