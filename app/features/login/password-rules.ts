/**
 * The rules that check a new password while it is typed. The backend alone decides: a rule is either known
 * to the form, or was reported by the backend when it rejected a password.
 */

/** A rule as text, with one way to check it. */
export interface PasswordRule {
  text: string;
  /** Minimum number of characters. */
  minLength?: number;
  /** The password needs one of these characters. */
  oneOf?: string;
  /**
   * If nothing else is known: how the password must differ from every password that was rejected by this
   * rule.
   */
  improvement?: Improvement;
}

/** A difference between two passwords: more characters, an additional kind of characters, or another text. */
type Improvement = 'length' | 'kinds' | 'text';

/** A rule, and the rejected passwords that were typed into this page. */
export interface KnownRule extends PasswordRule {
  refused: readonly string[];
}

/** Rules by name. Only one rule has a minimum length; other rules are identified by their text. */
export type KnownRules = ReadonlyMap<string, KnownRule>;

/**
 * Adds the rules that the backend reported. `refused` is the rejected password; undefined if it is no
 * longer known.
 */
export function addRules(
  known: KnownRules,
  reported: readonly PasswordRule[] = [],
  refused?: string | undefined,
): KnownRules {
  const rules = new Map(known);
  for (const rule of reported) {
    const name = rule.minLength ? '' : rule.text;
    const before = rules.get(name)?.refused ?? [];
    rules.set(name, { ...rule, refused: refused === undefined ? before : [...before, refused] });
  }
  return rules;
}

/**
 * Returns whether a password satisfies a rule; undefined if that cannot be determined, or the password is
 * empty.
 */
export function isRuleMet({ minLength, oneOf, improvement, refused }: KnownRule, password: string) {
  if (!password) return undefined;
  if (minLength) return [...password].length >= minLength;
  if (oneOf) return [...oneOf].some((character) => password.includes(character));
  if (!improvement || refused.length === 0) return undefined;
  return refused.every((old) => IMPROVEMENTS[improvement](password, old));
}

const KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u];

const IMPROVEMENTS: Record<Improvement, (password: string, old: string) => boolean> = {
  length: (password, old) => [...password].length > [...old].length,
  kinds: (password, old) => KINDS.some((kind) => kind.test(password) && !kind.test(old)),
  text: (password, old) => password !== old,
};
