/** The header Prefer (RFC 7240): what a client would like, and what of it was honoured. */
import { failure } from '../errors.ts';
import type { Action } from './method.ts';

/** What can be preferred, by the name before the `=`. */
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

/** What was asked for; undefined where nothing was. */
export type Preferences = { [N in ChoiceName]: Choices[N][number] | undefined } & {
  timezone: string | undefined;
  /** How many rows may be changed at most; counts under `handling=strict` only. */
  maxAffected: number | undefined;
  /** What is no preference of ours, as it was sent. */
  unknown: readonly string[];
};

/** Of most requests. */
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
 * Reads Prefer: tokens separated by commas, whose case matters. Of each kind, the first that is known counts.
 * @param values of all Prefer headers, in their order
 * @param allows whether clients may say how the transaction ends, and in which time zone it is
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

// A limit that is no number counts as unknown, so that strict handling refuses it.
function isKnown(token: string): boolean {
  const [limit] = valuesOf([token], 'max-affected');
  if (limit !== undefined) return parseMaxAffected(limit) !== undefined;
  return EXACT_TOKENS.has(token) || token.startsWith('timezone=');
}

/** Refuses unknown preferences where the client is strict about them. Throws PGRST122. */
export function requireKnownPreferences({ handling, unknown }: Preferences): void {
  if (handling !== 'strict' || unknown.length === 0) return;
  throw failure('PGRST122', { extra: { details: `Invalid preferences: ${unknown.join(', ')}` } });
}

/** The limit on changed rows, where it counts for this action. */
export function maxAffectedOf(
  { handling, maxAffected }: Preferences,
  { kind }: Pick<Action, 'kind'>,
): number | undefined {
  const applies = kind === 'update' || kind === 'delete' || kind === 'call';
  return applies && handling === 'strict' ? maxAffected : undefined;
}

/**
 * The header Preference-Applied; undefined where nothing applied.
 * @param hasArbiter whether an insert can meet a duplicate: by `on_conflict`, or by a primary key
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
