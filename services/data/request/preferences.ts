/** The headers Prefer and Preference-Applied (RFC 7240). */
import { failure } from '../errors.ts';
import type { Action } from './method.ts';

/** The values of each enumerated preference, by the name before the `=`. */
const CHOICES = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
} as const;

type Choices = typeof CHOICES;
type ChoiceName = keyof Choices;

/** Parsed preferences. A preference that the client did not send is undefined. */
export type Preferences = { [N in ChoiceName]: Choices[N][number] | undefined } & {
  timezone: string | undefined;
  /** Maximum number of changed rows. Enforced only with `handling=strict`. */
  maxAffected: number | undefined;
  /** Unsupported preferences, unchanged. */
  unknown: readonly string[];
};

/** Shared by all requests without the header. */
const NONE: Preferences = {
  resolution: undefined,
  return: undefined,
  count: undefined,
  tx: undefined,
  missing: undefined,
  handling: undefined,
  timezone: undefined,
  maxAffected: undefined,
  unknown: [],
};

/**
 * Parses Prefer: case-sensitive tokens, separated by commas. The first supported token of each preference wins.
 * @param values values of all Prefer headers, in order
 * @param allows whether clients may set the end of the transaction (`tx`) and its time zone (`timezone`)
 */
export function parsePreferences(
  values: string | readonly string[] | undefined,
  allows: { transactionEnd: boolean; timezone: boolean },
): Preferences {
  if (values === undefined) return NONE;
  const tokens = [values].flat().flatMap(tokensOf);
  return {
    resolution: firstChoice(tokens, 'resolution'),
    return: firstChoice(tokens, 'return'),
    count: firstChoice(tokens, 'count'),
    tx: allows.transactionEnd ? firstChoice(tokens, 'tx') : undefined,
    missing: firstChoice(tokens, 'missing'),
    handling: firstChoice(tokens, 'handling'),
    timezone: allows.timezone ? valuesOf(tokens, 'timezone')[0] : undefined,
    maxAffected: valuesOf(tokens, 'max-affected').map(parseMaxAffected)[0],
    unknown: tokens.filter((token) => !isKnown(token)),
  };
}

function tokensOf(value: string): string[] {
  return value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
}

function valuesOf(tokens: readonly string[], name: string): string[] {
  const start = `${name}=`;
  return tokens.filter((token) => token.startsWith(start)).map((token) => token.slice(start.length));
}

function firstChoice<N extends ChoiceName>(
  tokens: readonly string[],
  name: N,
): Choices[N][number] | undefined {
  const choices: readonly string[] = CHOICES[name];
  return valuesOf(tokens, name).find((value): value is Choices[N][number] => choices.includes(value));
}

function parseMaxAffected(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const EXACT_TOKENS = new Set(
  Object.entries(CHOICES).flatMap(([name, choices]) => choices.map((choice) => `${name}=${choice}`)),
);

// A `max-affected` that is not a number is unknown, so that strict handling rejects it.
function isKnown(token: string): boolean {
  const [limit] = valuesOf([token], 'max-affected');
  if (limit !== undefined) return parseMaxAffected(limit) !== undefined;
  return EXACT_TOKENS.has(token) || token.startsWith('timezone=');
}

/** Rejects unknown preferences under `handling=strict`. Throws PGRST122. */
export function requireKnownPreferences({ handling, unknown }: Preferences): void {
  if (handling !== 'strict' || unknown.length === 0) return;
  throw failure('PGRST122', { extra: { details: `Invalid preferences: ${unknown.join(', ')}` } });
}

/** Returns the limit of changed rows if it applies to the action. */
export function maxAffectedOf(
  { handling, maxAffected }: Preferences,
  { kind }: Pick<Action, 'kind'>,
): number | undefined {
  const applies = kind === 'update' || kind === 'delete' || kind === 'call';
  return applies && handling === 'strict' ? maxAffected : undefined;
}

/**
 * Returns the header Preference-Applied, or undefined if no preference applied.
 * @param hasArbiter whether an insert can detect duplicates, by `on_conflict` or by a primary key
 */
export function preferenceApplied(
  preferences: Preferences,
  action: Pick<Action, 'kind'>,
  { hasArbiter }: { hasArbiter: boolean },
): string | undefined {
  if (preferences === NONE) return undefined;
  const { kind } = action;
  const isWrite = kind === 'insert' || kind === 'update' || kind === 'put' || kind === 'delete';
  const applied: [name: string, value: string | number | undefined][] = [
    ['resolution', kind === 'insert' && hasArbiter ? preferences.resolution : undefined],
    ['missing', kind === 'insert' || kind === 'update' ? preferences.missing : undefined],
    ['return', isWrite ? preferences.return : undefined],
    ['count', preferences.count],
    ['tx', preferences.tx],
    ['handling', preferences.handling],
    ['timezone', preferences.timezone],
    ['max-affected', maxAffectedOf(preferences, action)],
  ];
  const tokens = applied.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return tokens.length === 0 ? undefined : tokens.join(', ');
}
