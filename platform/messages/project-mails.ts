/** Settings of `greenroom.send_mail`, with which SQL of the project sends mails. */
import type { Statement } from '@greenroom/postgres';

/** Returns the statement that stores the settings at the start of a server. */
export function storeProjectMailSettings(settings: { isDelivered: boolean; maxPerHour: number }): Statement {
  return {
    name: 'messages_project_mail_settings',
    text: `update greenroom.project_mail_settings set is_delivered = $1, max_per_hour = $2
      where (is_delivered, max_per_hour) is distinct from ($1, $2)`,
    values: [settings.isDelivered, settings.maxPerHour],
  };
}
