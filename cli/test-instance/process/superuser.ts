/** Sessions of the superuser of a running test instance. */
import { readInstanceRecord } from '@greenroom/data-folder';
import { openSession, type Session } from '@greenroom/postgres';

/** Runs `work` with a session. @param dataFolder folder of the instance */
export async function withSuperuser(
  dataFolder: string,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const record = await readInstanceRecord(dataFolder);
  const url = record?.credentials?.adminDatabaseUrl;
  if (url === undefined) throw new Error('the instance is not running');
  const session = await openSession({ url, applicationName: 'greenroom test' });
  await work(session).finally(() => session.close());
}
