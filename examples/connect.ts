/** What the programs of all examples share: connections to the instance that `greenroom status -o env` describes. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';

/** Returns a client without a user. Throws if the variables of `greenroom status -o env` are not set. */
export function connect(): SupabaseClient {
  return createClient(requireVariable('API_URL'), requireVariable('PUBLISHABLE_KEY'), {
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

/** Returns a client that is signed in as a new user. */
export async function signUp(): Promise<{ client: SupabaseClient; id: string; email: string }> {
  const client = connect();
  const email = `user-${crypto.randomUUID()}@example.com`;
  const { user } = dataOf(await client.auth.signUp({ email, password: 'correct horse battery' }));
  if (user === null) throw new Error('The account has not been created.');
  return { client, id: user.id, email };
}

/** Returns the data of a response. Throws its error. */
export function dataOf<Data>({ data, error }: { data: Data; error: Error | null }): NonNullable<Data> {
  if (error !== null) throw new Error(error.message);
  if (data === null || data === undefined) throw new Error('The response has no data.');
  return data;
}

/** Returns a variable of `greenroom status -o env`. Throws if it is not set. */
export function requireVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}, for example by: eval "$(npx greenroom status -o env)"`);
  return value;
}
