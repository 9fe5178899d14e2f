/** The servers of the local mailbox of an instance. Their code is loaded only if they are enabled. */
import type { Logger } from '@greenroom/log';
import type { MailboxServers } from '@greenroom/mailbox';
import type { Database } from '@greenroom/postgres';
import { publicUrlOf } from './loopback-url.ts';
import type { Config } from './settings.ts';
import { VERSION } from './version.ts';

/** The settings that the servers depend on. */
type MailboxSettings = Pick<Config, 'mailbox' | 'appUrl' | 'externalUrl'>;

/** Opens the servers; undefined if the settings do not enable them. Rejects if a port is taken. */
export async function openMailbox(
  config: MailboxSettings,
  database: Database,
  log: Logger,
): Promise<MailboxServers | undefined> {
  const { isEnabled, isServed, ports, sender } = config.mailbox;
  if (isEnabled && !isServed) {
    log.info({ publicUrl: publicUrlOf(config) }, 'the mailbox has no ports, because the instance is public');
  }
  if (!isServed) return undefined;
  const { openMailboxServers } = await import('@greenroom/mailbox');
  return openMailboxServers({
    database,
    ports,
    sender,
    pageUrl: `${config.appUrl}/admin/mailbox`,
    version: VERSION,
    onError: (error) => log.error({ err: error }, 'a request to the mailbox failed'),
  });
}
