import { openSession } from '@greenroom/postgres';

/** Returns the version of a server, e.g. `18.1`. */
export async function postgresVersionOf(url: string): Promise<string> {
  const session = await openSession({ url, applicationName: 'greenroom backup' });
  try {
    const [rows] = await session.batch([{ text: `select current_setting('server_version') as version` }]);
    return String(rows?.[0]?.version);
  } finally {
    await session.close();
  }
}
