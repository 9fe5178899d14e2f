/** Conditions. Operators and what `is` compares with are from closed sets; all else is a parameter. */
import type { Comparison, Condition, Embed, PlannedField } from '../plan/read-node.ts';
import type { IsValue, QuantifiableOperator, SearchOperator, SimpleOperator } from '../query/ast.ts';
import type { QualifiedName } from '../schema-cache/schema-cache.ts';
import { fieldSql } from './field.ts';
import { EMPTY, type Fragment, join, parameter, qualified, sql } from './sql.ts';

/** Says in SQL that there are rows of an embed. */
type ExistsSql = (embed: Embed) => Fragment;

/** A condition on the rows with an alias. */
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
  if (comparison.kind === 'is') return sql`${left} is ${IS_VALUES[comparison.value]}`;
  const value = parameter(comparison.slot);
  switch (comparison.kind) {
    case 'simple':
      return sql`${left} ${SIMPLE_OPERATORS[comparison.operator]} ${parsedSql(value, parse)}`;
    case 'quantifiable': {
      const { operator, quantifier } = comparison;
      const right = quantifier === undefined ? parsedSql(value, parse) : listSql(quantifier, value, parse);
      return sql`${left} ${QUANTIFIABLE_OPERATORS[operator]} ${right}`;
    }
    case 'distinct':
      return sql`${left} is distinct from ${value}`;
    case 'in':
      return sql`${left} = ${listSql('any', value, parse)}`;
    case 'search': {
      const config =
        comparison.config === undefined ? EMPTY : sql`${parameter(comparison.config)}::regconfig, `;
      return sql`${searchedSql(left, field, config)} @@ ${SEARCHES[comparison.operator]}(${config}${value})`;
    }
  }
}

function parsedSql(value: Fragment, parse: QualifiedName | undefined): Fragment {
  return parse === undefined ? value : sql`${qualified(parse)}(${value}::text)`;
}

function listSql(quantifier: 'any' | 'all', list: Fragment, parse: QualifiedName | undefined): Fragment {
  const values =
    parse === undefined
      ? list
      : sql`select ${qualified(parse)}("value") from unnest(${list}::text[]) as "value"`;
  return quantifier === 'any' ? sql`any(${values})` : sql`all(${values})`;
}

/** A vector, or a document that is made one. Of computed fields nothing is known; texts can be searched as they are. */
function searchedSql(left: Fragment, { column, path }: PlannedField, config: Fragment): Fragment {
  if (column === undefined || (column.baseType === 'tsvector' && path.length === 0)) return left;
  return sql`to_tsvector(${config}${left})`;
}

const QUANTIFIABLE_OPERATORS: Readonly<Record<QuantifiableOperator, Fragment>> = {
  eq: sql`=`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
  like: sql`like`,
  ilike: sql`ilike`,
  match: sql`~`,
  imatch: sql`~*`,
};

const SIMPLE_OPERATORS: Readonly<Record<SimpleOperator, Fragment>> = {
  neq: sql`<>`,
  cs: sql`@>`,
  cd: sql`<@`,
  ov: sql`&&`,
  sl: sql`<<`,
  sr: sql`>>`,
  nxr: sql`&<`,
  nxl: sql`&>`,
  adj: sql`-|-`,
};

const SEARCHES: Readonly<Record<SearchOperator, Fragment>> = {
  fts: sql`to_tsquery`,
  plfts: sql`plainto_tsquery`,
  phfts: sql`phraseto_tsquery`,
  wfts: sql`websearch_to_tsquery`,
};

const IS_VALUES: Readonly<Record<IsValue, Fragment>> = {
  null: sql`null`,
  not_null: sql`not null`,
  true: sql`true`,
  false: sql`false`,
  unknown: sql`unknown`,
};
