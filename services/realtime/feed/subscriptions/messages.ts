/** The texts of refused subscriptions, identical to those of the hosted service. */

import { inspect } from './inspect.ts';
import type { SubscriptionParams } from './parse.ts';

/** Names of the SQLSTATEs that the value of a filter can fail with (appendix "PostgreSQL Error Codes"). */
const CONDITION_NAMES: Readonly<Record<string, string>> = {
  P0001: 'raise_exception',
  '22P02': 'invalid_text_representation',
  '22P03': 'invalid_binary_representation',
  '22003': 'numeric_value_out_of_range',
  '22007': 'invalid_datetime_format',
  '22008': 'datetime_field_overflow',
  '22021': 'character_not_in_repertoire',
  '22023': 'invalid_parameter_value',
  '22000': 'data_exception',
  '22001': 'string_data_right_truncation',
  '2201B': 'invalid_regular_expression',
  '22025': 'invalid_escape_sequence',
  '2202E': 'array_subscript_error',
  '23514': 'check_violation',
  '42501': 'insufficient_privilege',
  '42704': 'undefined_object',
  '42883': 'undefined_function',
  '57014': 'query_canceled',
};

/** The text for parameters that match no table of the publication. */
export function noSuchTable(params: SubscriptionParams): string {
  return `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${describeParams(params)}]`;
}

/** The text for parameters that are invalid for the table. @param exception see {@link exceptionText} */
export function exceptionInParams(params: SubscriptionParams, exception: string): string {
  return `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${describeParams(params)}]. Exception: ${exception}`;
}

/** Formats an error of PostgreSQL. @example exceptionText('P0001', 'invalid column for filter x') */
export function exceptionText(sqlState: string, message: string): string {
  const name = CONDITION_NAMES[sqlState];
  return `ERROR ${sqlState} ${name === undefined ? '' : `(${name}) `}${message}`;
}

function describeParams({ event, schema, table, conditions, select }: SubscriptionParams): string {
  const filters = conditions.map(
    ({ column, operator, value, isNegated }) =>
      `{${[column, operator, value, isNegated].map(inspect).join(', ')}}`,
  );
  return `event: ${event}, schema: ${schema}, table: ${table}, filters: [${filters.join(', ')}], select: ${inspect(select)}`;
}
