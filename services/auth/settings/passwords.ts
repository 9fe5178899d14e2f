import { booleanSetting, integerSetting, setting, wordText } from '@greenroom/config';
import { z } from 'zod';
import { leakTree } from './leaks.ts';

/** GoTrue's minimum; a shorter length cannot be configured. */
const MIN_LENGTH = 6;
/** bcrypt ignores all bytes after these. */
const MAX_LENGTH = 72;

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
/** The colon, which separates sets, is escaped. */
const SYMBOLS = '!@#$%^&*()_+-=[]{};\'\\\\:"|<>?,./`~';

/** Words of config.toml for sets of characters. */
const PASSWORD_REQUIREMENTS = {
  '': '',
  letters_digits: `${LOWER}${UPPER}:${DIGITS}`,
  lower_upper_letters_digits: `${LOWER}:${UPPER}:${DIGITS}`,
  lower_upper_letters_digits_symbols: `${LOWER}:${UPPER}:${DIGITS}:${SYMBOLS}`,
};

/**
 * Parses sets of characters separated by `:`; `\:` is a colon in a set. Drops empty sets.
 * @example parseCharacterSets('abc:0123') // ['abc', '0123']
 */
export function parseCharacterSets(text: string): string[] {
  const parts = text.match(/(?:\\:|[^:])+/g) ?? [];
  return parts.map((part) => part.replaceAll('\\:', ':'));
}

export const passwordTree = {
  /** In bytes. */
  minLength: integerSetting('GOTRUE_PASSWORD_MIN_LENGTH', MIN_LENGTH, MAX_LENGTH, {
    default: String(MIN_LENGTH),
    configKey: 'auth.minimum_password_length',
    description: 'Minimum length of a password, in bytes.',
  }),
  requiredCharacters: setting(
    'GOTRUE_PASSWORD_REQUIRED_CHARACTERS',
    z.string().transform(parseCharacterSets),
    'sets of characters separated by colons, \\: for a colon itself',
    {
      default: '',
      configKey: { key: 'auth.password_requirements', toText: wordText(PASSWORD_REQUIREMENTS) },
      description: 'Sets of characters; a password must contain at least one character of each set.',
    },
  ),
  requireCurrent: booleanSetting('GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD', {
    default: 'false',
    configKey: 'auth.email.require_current_password',
    description: 'Whether a new password requires the current one.',
  }),
  requireReauthentication: booleanSetting('GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION', {
    default: 'false',
    configKey: 'auth.email.secure_password_change',
    description: 'Whether a new password requires a code by mail or SMS if the session is older than a day.',
  }),
  leaks: leakTree,
};
