/** Plans the conditions of a query and their fields, with the columns from the schema cache. */
import { OPERATORS, type OperatorName } from '../operators.ts';
import type { Field, Filter, Logic, Operation } from '../query/ast.ts';
import type { QualifiedName, Representation } from '../schema-cache/schema-cache.ts';
import type { Comparison, Condition, Embed, PlannedField, ReadNode } from './read-node.ts';
import type { Slots } from './slots.ts';

/** The rows that a condition applies to. */
interface ConditionTarget extends FieldSource {
  /** A null test on the name of an embed tests whether the embed has rows. */
  embeds: readonly Embed[];
}

/** The rows that a field belongs to. */
type FieldSource = Pick<ReadNode, 'relation' | 'rowType'>;

interface ConditionContext {
  slots: Slots;
  representations: readonly Representation[];
}

/** Plans a field. An unknown column is not an error here: it may be a computed field, which PostgreSQL checks. */
export function planField(slots: Slots, { relation, rowType }: FieldSource, field: Field): PlannedField {
  const column = relation?.columns.get(field.name);
  return {
    name: field.name,
    column,
    rowType: column === undefined ? rowType : undefined,
    path: field.path.map((step) => ({ arrow: step.arrow, kind: step.operand.kind, slot: slots.of(step) })),
  };
}

/** Plans `and`, `or`, or a single condition. */
export function planLogic(context: ConditionContext, target: ConditionTarget, logic: Logic): Condition {
  if (logic.kind === 'filter') return planFilter(context, target, logic.filter);
  const operands = logic.operands.map((operand) => planLogic(context, target, operand));
  return { kind: logic.kind, isNegated: logic.isNegated, operands };
}

/** Plans a single condition. */
export function planFilter(
  { slots, representations }: ConditionContext,
  { embeds, ...rows }: ConditionTarget,
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

/** Returns the domain representation that formats a column as JSON, if its type has one. Not for JSON paths. */
export function findFormat(
  representations: readonly Representation[],
  { column, path }: PlannedField,
): QualifiedName | undefined {
  if (column === undefined || path.length > 0) return undefined;
  return representations.find(
    ({ sourceType, targetType }) => sourceType === column.type && targetType === 'json',
  )?.function;
}

/** Returns the domain representation that parses a text or JSON to the type of a column, if there is one. */
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

/** Only `is.null` is a null test on an embed. `is.not_null` is a condition on a column of that name. */
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
      // The slot of the configuration precedes that of the text.
      return operation.config === undefined
        ? { kind, operator, config: undefined, slot: first }
        : { kind, operator, config: first, slot: first + 1 };
    }
  }
}
