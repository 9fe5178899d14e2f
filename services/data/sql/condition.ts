/**
 * SQL of conditions. Operators and the words after `is` come from the tables in `operators.ts`; every other value is a
 * parameter.
 */
import type { Comparison, Condition, Embed, PlannedField } from '../plan/read-node.ts';
import type { QualifiedName } from '../schema-cache/schema-cache.ts';
import { fieldSql } from './field.ts';
import { EMPTY, type Fragment, isValueSql, join, operatorSql, parameter, qualified, sql } from './sql.ts';

/** Returns a condition that is true if an embed has rows. */
type ExistsSql = (embed: Embed) => Fragment;

/** Returns the SQL of a condition on the rows of an alias. */
export function conditionSql(alias: string, condition: Condition, existsSql: ExistsSql): Fragment {
  return condition.isNegated
    ? sql`not ${plainSql(alias, condition, existsSql)}`
    : plainSql(alias, condition, existsSql);
}

function plainSql(alias: string, condition: Condition, existsSql: ExistsSql): Fragment {
  switch (condition.kind) {
    case 'filter':
      return sql`(${comparisonSql(alias, condition.field, condition.comparison, condition.parse)})`;
    case 'exists':
      return existsSql(condition.embed);
    default: {
      const operands = condition.operands.map((operand) => conditionSql(alias, operand, existsSql));
      if (operands.length === 0) return condition.kind === 'and' ? sql`(true)` : sql`(false)`;
      return sql`(${join(operands, condition.kind === 'and' ? ' and ' : ' or ')})`;
    }
  }
}

function comparisonSql(
  alias: string,
  field: PlannedField,
  comparison: Comparison,
  parse: QualifiedName | undefined,
): Fragment {
  const left = fieldSql(alias, field);
  if (comparison.kind === 'is') return sql`${left} ${operatorSql('is')} ${isValueSql(comparison.value)}`;
  const value = parameter(comparison.slot);
  switch (comparison.kind) {
    case 'simple':
      return sql`${left} ${operatorSql(comparison.operator)} ${parsedSql(value, parse)}`;
    case 'quantifiable': {
      const { operator, quantifier } = comparison;
      const right =
        quantifier === undefined ? parsedSql(value, parse) : quantifiedSql(quantifier, listSql(value, parse));
      return sql`${left} ${operatorSql(operator)} ${right}`;
    }
    case 'in':
      return sql`${left} ${operatorSql('in')}(${listSql(value, parse)})`;
    case 'search': {
      const config =
        comparison.config === undefined ? EMPTY : sql`${parameter(comparison.config)}::regconfig, `;
      return sql`${searchedSql(left, field, config)} @@ ${operatorSql(comparison.operator)}(${config}${value})`;
    }
  }
}

function parsedSql(value: Fragment, parse: QualifiedName | undefined): Fragment {
  return parse === undefined ? value : sql`${qualified(parse)}(${value}::text)`;
}

function listSql(list: Fragment, parse: QualifiedName | undefined): Fragment {
  if (parse === undefined) return list;
  return sql`select ${qualified(parse)}("value") from unnest(${list}::text[]) as "value"`;
}

function quantifiedSql(quantifier: 'any' | 'all', values: Fragment): Fragment {
  return quantifier === 'any' ? sql`any(${values})` : sql`all(${values})`;
}

/**
 * Converts a searched document to a `tsvector` unless the field is one. A computed field is not converted because its
 * type is unknown; PostgreSQL can search a text without the conversion.
 */
function searchedSql(left: Fragment, { column, path }: PlannedField, config: Fragment): Fragment {
  if (column === undefined || (column.baseType === 'tsvector' && path.length === 0)) return left;
  return sql`to_tsvector(${config}${left})`;
}
