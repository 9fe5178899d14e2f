/** Code of a product that the server runs apart from pages: `app/hooks.server.ts`. */
import type { SupabaseClient } from '@supabase/supabase-js';

/** The hooks of a product. */
export interface ServerHooks {
  tasks?: readonly ServerTask[];
  /**
   * Called after a user has deleted their account, before the session ends. A rejection is logged; the account stays deleted.
   */
  onAccountDeleted?(context: DeletedAccountContext): Promise<unknown>;
}

/** Work that the server of the pages repeats. Each node of a deployment does, so the number of runs must not matter. */
export interface ServerTask {
  /** Name in the log. */
  name: string;
  /** Time between the end of a run and the next run. */
  everySeconds: number;
  /** A rejection is logged, and the next run tries again. */
  run(context: TaskContext): Promise<unknown>;
}

/** Argument of a task. */
export interface TaskContext {
  /** Client with the service key, which bypasses row level security. Its requests are aborted when the server stops. */
  client: SupabaseClient;
  /** Aborted when the server stops. */
  signal: AbortSignal;
}

/** Argument of `onAccountDeleted`. */
export interface DeletedAccountContext {
  userId: string;
  /** Client that acts as the user, whose access token stays valid for a while. */
  client: SupabaseClient;
}
