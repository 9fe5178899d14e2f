/** Conditions of a query, and the fields in them, with what the schema cache knows about the columns. */
import { OPERATORS, type OperatorName } from '../operators.ts';
import type { Field, Filter, Logic, Operation } from '../query/ast.ts';
import type { QualifiedName, Representation } from '../schema-cache/schema-cache.ts';
import type { Comparison, Condition, Embed, PlannedField, ReadNode } from './read-node.ts';
import type { Slots } from './slots.ts';

/** What conditions are about. */
interface Subject extends RowsOf {
  /** Tests for null of these are about their rows. */
  embeds: readonly Embed[];
}

/** What has fields. */
type RowsOf = Pick<ReadNode, 'relation' | 'rowType'>;

/** What is needed to plan them. */
interface ConditionContext {
  slots: Slots;
  representations: readonly Representation[];
}

/** A field of a relation. That there is such a column is for PostgreSQL to say: it may be a computed one. */
export function planField(slots: Slots, { relation, rowType }: RowsOf, field: Field): PlannedField {
  const column = relation?.columns.get(field.name);
  return {
    name: field.name,
    column,
    rowType: column === undefined ? rowType : undefined,
    path: field.path.map((step) => ({ arrow: step.arrow, kind: step.operand.kind, slot: slots.of(step) })),
  };
}

/** `and`, `or`, or one condition. */
export function planLogic(context: ConditionContext, subject: Subject, logic: Logic): Condition {
  if (logic.kind === 'filter') return planFilter(context, subject, logic.filter);
  const operands = logic.operands.map((operand) => planLogic(context, subject, operand));
  return { kind: logic.kind, isNegated: logic.isNegated, operands };
}

/** One condition. */
export function planFilter(
  { slots, representations }: ConditionContext,
  { embeds, ...rows }: Subject,
  filter: Filter,
): Condition {
  const { operation, isNegated } = filter;
  const embed = embeds.find(({ name }) => name === filter.field.name);
  if (embed !== undefined && isNullTest(filter)) return { kind: 'exists', isNegated: !isNegated, embed };
  const field = planField(slots, rows, filter.field);
  const { value } = OPERATORS[operatorOf(operation)];
  const parse = value === 'column' ? findParser(representations, 'text', field) : undefined;
  return { kind: 'filter', field, isNegated, comparison: planComparison(slots, operation), parse };
}

/** How a whole column is written as JSON, if it has a way of its own. */
export function findFormat(
  representations: readonly Representation[],
  { column, path }: PlannedField,
): QualifiedName | undefined {
  if (column === undefined || path.length > 0) return undefined;
  return representations.find(
    ({ sourceType, targetType }) => sourceType === column.type && targetType === 'json',
  )?.function;
}

/** What makes a value of a column's type out of a text, or out of JSON, if anything does. */
export function findParser(
  representations: readonly Representation[],
  from: 'text' | 'json',
  { column, path }: Pick<PlannedField, 'column' | 'path'>,
): QualifiedName | undefined {
  if (column === undefined || path.length > 0) return undefined;
  return representations.find(
    ({ sourceType, targetType }) => sourceType === from && targetType === column.type,
  )?.function;
}

/** A null test on an embed is not `is.not_null`, which is a condition on a column of that name. */
function isNullTest({ field, operation }: Filter): boolean {
  return field.path.length === 0 && operation.kind === 'is' && operation.value === 'null';
}

function operatorOf(operation: Operation): OperatorName {
  return operation.kind === 'in' || operation.kind === 'is' ? operation.kind : operation.operator;
}

function planComparison(slots: Slots, operation: Operation): Comparison {
  switch (operation.kind) {
    case 'is':
      return { kind: 'is', value: operation.value };
    case 'in':
      return { kind: 'in', slot: slots.of(operation) };
    case 'simple':
      return { kind: 'simple', operator: operation.operator, slot: slots.of(operation) };
    case 'quantifiable': {
      const { kind, operator, quantifier } = operation;
      return { kind, operator, quantifier, slot: slots.of(operation) };
    }
    case 'search': {
      const first = slots.of(operation);
      const { kind, operator } = operation;
      // The configuration comes before the text.
      return operation.config === undefined
        ? { kind, operator, config: undefined, slot: first }
        : { kind, operator, config: first, slot: first + 1 };
    }
  }
}
