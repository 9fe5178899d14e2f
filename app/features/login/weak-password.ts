/**
 * Converts the auth service's reasons for a weak password to rules. The reasons contain only the kind;
 * numbers and characters are in the message, which has the same format in GoTrue
 * (`internal/api/password.go`) and Greenroom:
 *
 *     Password should be at least 8 characters.
 *     Password should contain at least one character of each: abc…, 0123456789.
 *     Password is known to be weak and easy to guess, please choose a different one.
 *
 * All applicable sentences are in one line. If a message has another format, the rule contains only the kind.
 */
import type { Language } from '../../lib/language.ts';
import type { AuthFailure } from '../../session/auth-errors.ts';
import { passwordRuleTexts } from '../../texts/password-rules.ts';
import { weakPasswordTexts } from '../../texts/weak-password.ts';
import type { PasswordRule } from './password-rules.ts';

const MIN_LENGTH = /\bat least (\d{1,4}) characters\b/;
/**
 * Sets may contain full stops and spaces, so the set ends only at the full stop before the optional last
 * sentence.
 */
const SETS = /\bone character of each: (.+?)\.(?: Password is known .*)?$/s;
const MAX_SETS = 8;

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';

/** Returns the rules that a password violates; nothing for other errors or unknown reasons. */
export function weaknessOf(error: AuthFailure, language: Language): { rules?: PasswordRule[] } {
  const { code, message, reasons = [] } = error;
  if (code !== 'weak_password') return {};
  const rules: PasswordRule[] = [
    ...(reasons.includes('length') ? [lengthRule(message, language)] : []),
    ...(reasons.includes('characters') ? characterRules(message, language) : []),
    ...(reasons.includes('pwned') ? [leakRule(language)] : []),
  ];
  return rules.length > 0 ? { rules } : {};
}

function leakRule(language: Language): PasswordRule {
  return { text: weakPasswordTexts[language].leaked, improvement: 'text' };
}

function lengthRule(message: string, language: Language): PasswordRule {
  const minLength = Number(MIN_LENGTH.exec(message)?.[1] ?? 0);
  if (minLength > 0) return { text: passwordRuleTexts[language].least(minLength), minLength };
  return { text: weakPasswordTexts[language].longer, improvement: 'length' };
}

function characterRules(message: string, language: Language): PasswordRule[] {
  const sets = SETS.exec(message)?.[1]?.split(', ').filter(Boolean) ?? [];
  if (sets.length === 0 || sets.length > MAX_SETS) {
    return [{ text: weakPasswordTexts[language].otherKinds, improvement: 'kinds' }];
  }
  return sets.map((oneOf) => ({ text: nameOfSet(oneOf, language), oneOf }));
}

/** Names exactly the characters of a set: one that lacks a letter is not called "a letter". */
function nameOfSet(set: string, language: Language): string {
  const texts = weakPasswordTexts[language];
  const names: Record<string, string> = {
    [LOWER]: texts.lower,
    [UPPER]: texts.upper,
    [LOWER + UPPER]: texts.letter,
    [UPPER + LOWER]: texts.letter,
    [DIGITS]: texts.digit,
    ' ': texts.space,
  };
  if (Object.hasOwn(names, set)) return names[set] as string;
  // Separated by spaces, so that a long set can wrap.
  const visible = [...set].filter((character) => character !== ' ').join(' ');
  return set.includes(' ') ? texts.oneOfOrSpace(visible) : texts.oneOf(visible);
}
