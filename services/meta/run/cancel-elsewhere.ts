/** Cancels a run of another process of the instance, through PostgreSQL. */
import { runLimited } from '@greenroom/postgres';
import { applicationNameOf } from './application-name.ts';
import type { Runner } from './runner.ts';

/** Returns whether a connection had the run. */
export async function cancelElsewhere(runner: Runner, id: string): Promise<boolean> {
  const { rows } = await runner.run((client) =>
    runLimited(client, {
      text: 'select pg_cancel_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
      values: [applicationNameOf(id)],
      maxRows: 10,
      maxBytes: 1024,
    }),
  );
  return rows.length > 0;
}
