/** The identity and the clock of a server. */
import { createReplicationClient } from './client.ts';
import { identifySystem, type SystemIdentity } from './commands.ts';

/** Returns the identity of the cluster, and the time of its clock in milliseconds. */
export async function readServerIdentity(url: string): Promise<SystemIdentity & { time: Date }> {
  const client = createReplicationClient(url, 'greenroom backup', {});
  client.on('error', () => undefined);
  await client.connect();
  try {
    const system = await identifySystem(client);
    const { rows } = await client.query(
      'select extract(epoch from clock_timestamp()) * 1000 as milliseconds',
    );
    // Rounded up, so that the time is not before anything that has happened.
    return { ...system, time: new Date(Math.ceil(Number(rows[0]?.milliseconds))) };
  } finally {
    await client.end();
  }
}
