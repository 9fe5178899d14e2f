/** `db.major_version`: the version of PostgreSQL that a project is made for. */
import type { Session } from '@greenroom/postgres';

/** Warns if the server is older than the version of the project. Newer servers run projects for older versions. */
export async function warnOfOlderServer(
  session: Session,
  { majorVersion, onProgress }: { majorVersion?: number | undefined; onProgress: (line: string) => void },
): Promise<void> {
  if (majorVersion === undefined) return;
  const [[row] = []] = await session.batch([
    { text: `select current_setting('server_version_num')::int / 10000 as version` },
  ]);
  const version = Number(row?.version);
  if (version >= majorVersion) return;
  onProgress(
    `warning: the project is for PostgreSQL ${majorVersion} (db.major_version), but the database runs PostgreSQL ${version}`,
  );
}
