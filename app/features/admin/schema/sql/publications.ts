/** Publications: form → SQL. */
import { quoteIdentifier, quoteQualified } from '../../shared/sql-identifier.ts';
import type { PublicationDefinition, StructureContext } from '../definition.ts';
import { quoteLiteral } from './literal.ts';
import { missingOf, type Planner, plan, planWithout } from './plan.ts';
import { nameOf, tableOf } from './tables.ts';
import { chosenOf, textOf } from './values.ts';

/** Operations that a publication sends. */
export const PUBLICATION_OPERATIONS = ['insert', 'update', 'delete', 'truncate'] as const;

/** A new publication of tables of the schema. */
export const createPublication: Planner = (values, { schema }) => {
  const name = textOf(values, 'name');
  const chosen = chosenOf(values, 'operations');
  const operations = PUBLICATION_OPERATIONS.filter((operation) => chosen.includes(operation));
  const missing = missingOf({ name, operations });
  if (missing.length > 0) return planWithout('create publication', missing);
  const tables = chosenOf(values, 'tables').map((table) => quoteQualified(schema, table));
  return plan(
    `create publication ${name}`,
    [creation({ name, operations, tables })],
    [`drop publication ${quoteIdentifier(name)};`],
  );
};

function creation(options: {
  name: string;
  operations: readonly string[];
  tables: readonly string[];
}): string {
  const { name, operations, tables } = options;
  const target = tables.length > 0 ? ` for table ${tables.join(', ')}` : '';
  return `create publication ${quoteIdentifier(name)}${target} with (publish = ${quoteLiteral(operations.join(', '))});`;
}

/** Adds the table to a publication, or removes it. */
export const togglePublicationTable: Planner = (_, context) => {
  const table = tableOf(context);
  const publication = quoteIdentifier(context.object);
  const isMember = table.publications.includes(context.object);
  const set = (verb: string) => `alter publication ${publication} ${verb} table ${nameOf(table)};`;
  const [verb, undo] = isMember ? (['drop', 'add'] as const) : (['add', 'drop'] as const);
  return plan(
    `${verb} ${table.name} ${isMember ? 'from' : 'to'} publication ${context.object}`,
    [set(verb)],
    [set(undo)],
  );
};

/** A publication. Its subscribers receive no further changes. */
export const dropPublication: Planner = (_, context) => {
  const found = publicationOf(context);
  return plan(
    `drop publication ${context.object}`,
    [`drop publication ${quoteIdentifier(context.object)};`],
    found?.tables
      ? [
          creation({
            name: found.name,
            operations: found.operations,
            tables: found.tables.map(({ schema, name }) => quoteQualified(schema, name)),
          }),
        ]
      : null,
  );
};

function publicationOf({ objects, object }: StructureContext): PublicationDefinition | undefined {
  return objects.publications.find(({ name }) => name === object);
}
