/** Settings of `greenroom.send_mail` and `greenroom.page_url`, with which SQL of the project sends mails. */
import type { Statement } from '@greenroom/postgres';

/** Settings that SQL cannot read otherwise. */
interface ProjectMailSettings {
  /** Whether a mail server is configured. */
  isDelivered: boolean;
  maxPerHour: number;
  /** Public URL of the pages, without a slash at its end. */
  appUrl: string;
}

/** Returns the statement that stores the settings at the start of a server. */
export function storeProjectMailSettings({
  isDelivered,
  maxPerHour,
  appUrl,
}: ProjectMailSettings): Statement {
  return {
    name: 'messages_project_mail_settings',
    text: `update greenroom.project_mail_settings set is_delivered = $1, max_per_hour = $2, app_url = $3
      where (is_delivered, max_per_hour, app_url) is distinct from ($1, $2, $3)`,
    values: [isDelivered, maxPerHour, appUrl],
  };
}
