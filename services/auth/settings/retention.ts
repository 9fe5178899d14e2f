/** Settings of the removal of old rows. */
import { integerSetting } from '@greenroom/config';

const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

/** Declares a number of days. The value is in milliseconds; undefined keeps rows forever. */
function daysSetting(name: string, details: { default: string; description: string }) {
  return integerSetting(name, 0, MAX_DAYS, details).map((days) => (days === 0 ? undefined : days * DAY_MS));
}

/** Ages in milliseconds; undefined keeps the rows forever. */
export const retentionTree = {
  auditMs: daysSetting('GREENROOM_AUTH_AUDIT_RETENTION_DAYS', {
    default: '90',
    description: 'Number of days for which entries of the audit log are kept. 0: for ever.',
  }),
  sessionMs: daysSetting('GREENROOM_AUTH_SESSION_RETENTION_DAYS', {
    default: '30',
    description: 'Number of days for which sessions are kept after their end. 0: for ever.',
  }),
  refreshTokenMs: daysSetting('GREENROOM_AUTH_REFRESH_TOKEN_RETENTION_DAYS', {
    default: '30',
    description:
      'Number of days for which used refresh tokens of live sessions are kept to detect their reuse. 0: for ever.',
  }),
  flowStateMs: daysSetting('GREENROOM_AUTH_FLOW_STATE_RETENTION_DAYS', {
    default: '1',
    description: 'Number of days for which unfinished sign-ins are kept after they expired. 0: for ever.',
  }),
};
