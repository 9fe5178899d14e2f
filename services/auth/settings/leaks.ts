/** Settings of the check for leaked passwords. */
import { booleanSetting, type SettingsOf, urlSetting } from '@greenroom/config';

export const leakTree = {
  isEnabled: booleanSetting('GOTRUE_PASSWORD_HIBP_ENABLED', {
    default: 'false',
    description: 'Whether leaked passwords are rejected (Have I Been Pwned).',
  }),
  failClosed: booleanSetting('GOTRUE_PASSWORD_HIBP_FAIL_CLOSED', {
    default: 'false',
    description: 'Whether new passwords are rejected while leaks cannot be checked.',
  }),
  /** Without a trailing slash. */
  rangeUrl: urlSetting('GREENROOM_PASSWORD_HIBP_URL', {
    default: 'https://api.pwnedpasswords.com/range/',
    description: 'URL of the lists of leaked passwords; the first digits of a hash are appended to it.',
  }),
};

/** The settings of the enabled check. */
export type LeakSettings = Omit<SettingsOf<typeof leakTree>, 'isEnabled'>;

/** Returns undefined if the check is disabled. */
export function completeLeaks({
  isEnabled,
  ...check
}: SettingsOf<typeof leakTree>): LeakSettings | undefined {
  return isEnabled ? check : undefined;
}
