/**
 * What a new password is measured by while it is typed. The backend alone decides: a rule is one that the form knows by
 * itself, or one that the backend told when it refused a password.
 */

/** A rule in words, with one way to measure a password by it. */
export interface PasswordRule {
  text: string;
  /** It needs so many characters. */
  least?: number;
  /** It needs one of these characters. */
  oneOf?: string;
  /** All that is known: what it must have over every password that was refused for this rule. */
  beyond?: Advance;
}

/** Of one password over another: it is longer, it has characters of another kind, or it just is another one. */
type Advance = 'length' | 'kinds' | 'text';

/** A rule, and the passwords that were refused for it as far as they were typed into this page. */
export interface KnownRule extends PasswordRule {
  refused: readonly string[];
}

/** Rules by name. There is one least length only, and of others one each text. */
export type KnownRules = ReadonlyMap<string, KnownRule>;

/** Adds what the backend told. `refused` is the password it was told about; undefined where nobody knows it any more. */
export function learnRules(
  known: KnownRules,
  told: readonly PasswordRule[] = [],
  refused?: string | undefined,
): KnownRules {
  const rules = new Map(known);
  for (const rule of told) {
    const name = rule.least ? '' : rule.text;
    const before = rules.get(name)?.refused ?? [];
    rules.set(name, { ...rule, refused: refused === undefined ? before : [...before, refused] });
  }
  return rules;
}

/** Whether a password meets a rule; undefined where that cannot be known, or nothing was typed. */
export function isRuleMet({ least, oneOf, beyond, refused }: KnownRule, password: string) {
  if (!password) return undefined;
  if (least) return [...password].length >= least;
  if (oneOf) return [...oneOf].some((character) => password.includes(character));
  if (!beyond || refused.length === 0) return undefined;
  return refused.every((old) => ADVANCES[beyond](password, old));
}

const KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u];

const ADVANCES: Record<Advance, (password: string, old: string) => boolean> = {
  length: (password, old) => [...password].length > [...old].length,
  kinds: (password, old) => KINDS.some((kind) => kind.test(password) && !kind.test(old)),
  text: (password, old) => password !== old,
};
