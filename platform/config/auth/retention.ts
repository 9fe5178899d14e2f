/** Settings of the removal of old rows. */
import type { Values } from '../variable.ts';
import { integerVariable } from '../variable.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

/** Environment variables. */
export const retentionVariables = {
  GREENROOM_AUTH_AUDIT_RETENTION_DAYS: integerVariable(0, MAX_DAYS, {
    default: '90',
    description: 'Days that entries of the audit log are kept; 0: for ever.',
  }),
  GREENROOM_AUTH_SESSION_RETENTION_DAYS: integerVariable(0, MAX_DAYS, {
    default: '30',
    description: 'Days that sessions are kept after their end; 0: for ever.',
  }),
  GREENROOM_AUTH_REFRESH_TOKEN_RETENTION_DAYS: integerVariable(0, MAX_DAYS, {
    default: '30',
    description:
      'Days that used refresh tokens of live sessions are kept to detect their reuse; 0: for ever.',
  }),
  GREENROOM_AUTH_FLOW_STATE_RETENTION_DAYS: integerVariable(0, MAX_DAYS, {
    default: '1',
    description: 'Days that sign-ins that were never finished are kept after they expired; 0: for ever.',
  }),
};

/** Settings. */
export interface RetentionSettings {
  /** Milliseconds; undefined keeps the rows for ever. */
  retention: {
    auditMs: number | undefined;
    sessionMs: number | undefined;
    refreshTokenMs: number | undefined;
    flowStateMs: number | undefined;
  };
}

/** Groups the values. */
export function retentionSettings(values: Values<typeof retentionVariables>): RetentionSettings {
  return {
    retention: {
      auditMs: daysMs(values.GREENROOM_AUTH_AUDIT_RETENTION_DAYS),
      sessionMs: daysMs(values.GREENROOM_AUTH_SESSION_RETENTION_DAYS),
      refreshTokenMs: daysMs(values.GREENROOM_AUTH_REFRESH_TOKEN_RETENTION_DAYS),
      flowStateMs: daysMs(values.GREENROOM_AUTH_FLOW_STATE_RETENTION_DAYS),
    },
  };
}

function daysMs(days: number): number | undefined {
  return days === 0 ? undefined : days * DAY_MS;
}
