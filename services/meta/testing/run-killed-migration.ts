/** A process that is killed after it has written the file of a migration, and before it commits. */
import { dirname } from 'node:path';
import { runMigration } from '@greenroom/project';

const [url = '', supabaseFolder = '', name = '', sql = ''] = process.argv.slice(2);
await runMigration({
  url,
  project: { folder: dirname(supabaseFolder), supabaseFolder },
  name,
  sql,
  timeoutMs: 60_000,
  now: new Date(),
  onWritten: () => process.kill(process.pid, 'SIGKILL'),
});
