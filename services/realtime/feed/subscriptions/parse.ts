/**
 * Parses the parameters of one entry of `postgres_changes`. Pure: it checks the syntax and does not access tables. The
 * error messages are those of the hosted service.
 *
 *     filter    = [ condition *( "," condition ) ]
 *     condition = column "=" [ "not." ] operator "." value
 *     value     = any text; for `in`: "(" list ")", a list as in PostgreSQL's array literals
 *
 * A comma inside parentheses, or inside a value in double quotes (escape `\`), does not split.
 */
import { inspect } from './inspect.ts';

const OPERATORS = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'like',
  'ilike',
  'is',
  'match',
  'imatch',
  'isdistinct',
] as const;

/** The operator of a condition. */
export type Operator = (typeof OPERATORS)[number];

/** One condition of a filter as the client wrote it. The value of `in` is an array literal. */
export interface Condition {
  column: string;
  operator: Operator;
  value: string;
  isNegated: boolean;
}

/** The parsed parameters. `*` as schema or table stands for all of them. */
export interface SubscriptionParams {
  event: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  schema: string;
  table: string;
  conditions: readonly Condition[];
  /** The columns to deliver in addition to the primary key; undefined for all. */
  select: readonly string[] | undefined;
}

/** A parsed value, or the error message for the client. */
type Parsed<T> = { value: T } | { error: string };

const ACTIONS = ['INSERT', 'UPDATE', 'DELETE'] as const;
const QUOTE_BEGINS_AFTER = '.(,';

/** Parses one entry. @example parseSubscription({ schema: 'public', table: 'notes', filter: 'id=gt.5' }) */
export function parseSubscription(params: Readonly<Record<string, unknown>>): Parsed<SubscriptionParams> {
  const select = parseSelect(params.select);
  if ('error' in select) return select;
  const { schema, table } = params;
  const hasFilter = 'filter' in params;
  const event = parseEvent(params.event);
  if (typeof schema === 'string' && typeof table === 'string' && typeof params.filter === 'string') {
    const conditions = parseFilter(params.filter);
    if ('error' in conditions) return { error: `Error parsing \`filter\` params: ${conditions.error}` };
    return withoutSelectOfAll({ event, schema, table, conditions: conditions.value, select: select.value });
  }
  const target = hasFilter ? undefined : parseTarget(params);
  if (target === undefined) return { error: `${MISSING_TARGET}: ${formatParams(params)}` };
  return withoutSelectOfAll({ event, ...target, conditions: [], select: select.value });
}

const MISSING_TARGET =
  'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to';

/** Formats the parameters for a message. Redacts them if they contain a token, which older clients send here. */
function formatParams(params: Readonly<Record<string, unknown>>): string {
  return 'user_token' in params || 'auth_token' in params ? '<redacted>' : inspect(params);
}

function parseTarget(
  params: Readonly<Record<string, unknown>>,
): { schema: string; table: string } | undefined {
  const { schema, table } = params;
  if (typeof schema === 'string' && typeof table === 'string') return { schema, table };
  if (typeof schema === 'string' && !('table' in params)) return { schema, table: '*' };
  if (typeof table === 'string' && !('schema' in params)) return { schema: 'public', table };
  return undefined;
}

function parseEvent(event: unknown): SubscriptionParams['event'] {
  const requested = typeof event === 'string' ? event.toUpperCase() : '*';
  return ACTIONS.find((action) => action === requested) ?? '*';
}

function parseSelect(select: unknown): Parsed<readonly string[] | undefined> {
  if (typeof select === 'string') {
    return {
      error:
        'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]',
    };
  }
  const names = Array.isArray(select) ? select.filter((name) => typeof name === 'string') : [];
  return { value: names.length === 0 ? undefined : names };
}

function withoutSelectOfAll(params: SubscriptionParams): Parsed<SubscriptionParams> {
  if (params.select === undefined || (params.schema !== '*' && params.table !== '*'))
    return { value: params };
  return {
    error:
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
  };
}

function parseFilter(filter: string): Parsed<readonly Condition[]> {
  const trimmed = filter.trim();
  if (trimmed === '') return { value: [] };
  const conditions: Condition[] = [];
  for (const segment of splitAtTopLevel(trimmed)) {
    const parsed = parseCondition(segment.trim());
    if ('error' in parsed) return parsed;
    conditions.push(parsed.value);
  }
  return { value: conditions };
}

function splitAtTopLevel(filter: string): string[] {
  const segments: string[] = [];
  let start = 0;
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < filter.length; at += 1) {
    const character = filter.charAt(at);
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"' && at > start && QUOTE_BEGINS_AFTER.includes(filter.charAt(at - 1))) {
      isQuoted = true;
    } else if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (character === ',' && depth === 0) {
      segments.push(filter.slice(start, at));
      start = at + 1;
    }
  }
  return [...segments, filter.slice(start)];
}

function parseCondition(segment: string): Parsed<Condition> {
  if (segment === '') return { error: 'filter must not contain empty segments (check for extra commas)' };
  const equals = segment.indexOf('=');
  if (equals === -1) return { error: inspect([segment]) };
  const column = segment.slice(0, equals);
  const rest = segment.slice(equals + 1);
  const isNegated = rest.startsWith('not.');
  const comparison = isNegated ? rest.slice('not.'.length) : rest;
  const dot = comparison.indexOf('.');
  if (dot === -1) return { error: inspect([comparison]) };
  const [name, value] = [comparison.slice(0, dot), comparison.slice(dot + 1)];
  const operator = OPERATORS.find((known) => known === name);
  if (operator === undefined) return { error: inspect([name, value]) };
  if (operator !== 'in') return { value: { column, operator, value: unquoted(value), isNegated } };
  if (!/^\(.*\)$/s.test(value)) return { error: '`in` filter value must be wrapped by parentheses' };
  return { value: { column, operator, value: `{${value.slice(1, -1)}}`, isNegated } };
}

/** Removes the quotes of a value that is quoted as a whole. Returns any other value unchanged. */
function unquoted(value: string): string {
  if (!/^"(?:[^"\\]|\\.)*"$/s.test(value)) return value;
  return value.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
}
