/** What identifies an instance in an archive of backups. */
import type { InstanceIdentity } from '@greenroom/backup';
import { openSession } from '@greenroom/postgres';

/**
 * Reads the identity of an instance.
 * @param url of the superuser of the embedded PostgreSQL, or of the owner of an external database
 */
export async function readInstanceIdentity(
  url: string,
  { isEmbedded }: { isEmbedded: boolean },
): Promise<InstanceIdentity> {
  const session = await openSession({ url, applicationName: 'greenroom backup' });
  try {
    const [[table] = []] = await session.batch([
      { text: `select to_regclass('greenroom.instance') is not null as exists` },
    ]);
    const instance = table?.exists ? await firstRow(session, 'select id from greenroom.instance') : undefined;
    // A server that others operate may have several databases.
    const cluster = isEmbedded
      ? await firstRow(session, 'select system_identifier::text as id from pg_catalog.pg_control_system()')
      : undefined;
    return { instanceId: instance?.id ?? undefined, systemId: cluster?.id ?? undefined };
  } finally {
    await session.close();
  }
}

async function firstRow(
  session: Pick<Awaited<ReturnType<typeof openSession>>, 'batch'>,
  text: string,
): Promise<{ id: string | null } | undefined> {
  const [[row] = []] = await session.batch([{ text }]);
  return row as { id: string | null } | undefined;
}
