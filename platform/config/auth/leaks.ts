/** Settings of the check for leaked passwords. */
import type { Values } from '../variable.ts';
import { booleanVariable, urlVariable } from '../variable.ts';

/** Environment variables. */
export const leakVariables = {
  GOTRUE_PASSWORD_HIBP_ENABLED: booleanVariable({
    default: 'false',
    description: 'Refuses passwords that are known to have been leaked (Have I Been Pwned).',
  }),
  GOTRUE_PASSWORD_HIBP_FAIL_CLOSED: booleanVariable({
    default: 'false',
    description: 'While leaks cannot be asked about, new passwords are refused instead of taken.',
  }),
  GREENROOM_PASSWORD_HIBP_URL: urlVariable({
    default: 'https://api.pwnedpasswords.com/range/',
    description: 'Where the leaked passwords of a range are listed; the first digits of the hash follow.',
  }),
};

/** How leaks are asked about. */
export interface LeakSettings {
  /** Without a slash at the end. */
  rangeUrl: string;
  failClosed: boolean;
}

/** Groups the values; undefined where the check is off. */
export function leakSettings(values: Values<typeof leakVariables>): LeakSettings | undefined {
  if (!values.GOTRUE_PASSWORD_HIBP_ENABLED) return undefined;
  return {
    rangeUrl: values.GREENROOM_PASSWORD_HIBP_URL,
    failClosed: values.GOTRUE_PASSWORD_HIBP_FAIL_CLOSED,
  };
}
