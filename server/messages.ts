/** Mail and SMS of an instance: the outbox and its delivery. */
import type { Logger } from '@greenroom/log';
import {
  type CodeCheck,
  createCodeCheck,
  createOutbox,
  createSmsSender,
  createSmtpSender,
  type Outbox,
  startDelivery,
  storeProjectMailSettings,
} from '@greenroom/messages';
import type { Database } from '@greenroom/postgres';
import type { Config } from './settings.ts';

/** Opens the outbox. `close` finishes deliveries in progress. */
export async function openMessages(
  config: Pick<Config, 'smtp' | 'sms' | 'projectMailsPerHour' | 'limitsLoopback' | 'appUrl'>,
  database: Database,
  log: Logger,
): Promise<{ outbox: Outbox; checkCode: CodeCheck | undefined; close(): Promise<void> }> {
  const { smtp, projectMailsPerHour: maxPerHour, appUrl } = config;
  await database.query(storeProjectMailSettings({ isDelivered: smtp !== undefined, maxPerHour, appUrl }));
  const mail = config.smtp && createSmtpSender(config.smtp);
  const sms = config.sms && createSmsSender(config.sms);
  const logsContent = !config.limitsLoopback && mail === undefined;
  const delivery = startDelivery({ database, mail, sms, log, logsContent });
  const delivers = {
    mail: mail !== undefined,
    sms: sms !== undefined,
    whatsapp: sms?.channels.includes('whatsapp') ?? false,
  };
  return {
    outbox: createOutbox({ delivers, wake: () => delivery.wake() }),
    checkCode: createCodeCheck(config.sms),
    async close() {
      try {
        await delivery.close();
      } finally {
        await mail?.close();
      }
    },
  };
}
