/** The definitions, parameters and paths of relations in the OpenAPI document. */
import {
  type Column,
  type KeyRelationship,
  keyOf,
  type Relation,
  type SchemaCache,
} from '../schema-cache/schema-cache.ts';
import type { RelationAccess } from './accessible.ts';
import { defaultValue } from './default-value.ts';
import { schemaOfType, swaggerType } from './schema-type.ts';
import {
  type Operation,
  type Parameter,
  type PathItem,
  pathSegment,
  type Reference,
  referenceTo,
  type Schema,
  splitComment,
} from './swagger.ts';

/** A relation with the operations that are allowed on it. */
interface DescribedRelation {
  relation: Relation;
  access: RelationAccess;
}

/** Parameters of a query string that are not filters. */
const RESERVED = new Set(['select', 'columns', 'on_conflict', 'order', 'limit', 'offset', 'and', 'or']);

/**
 * Returns the relations of a schema on which the role may perform at least one operation.
 * @param accesses privileges of the role by relation; undefined means all privileges
 */
export function describedRelations(
  cache: SchemaCache,
  schema: string,
  accesses: ReadonlyMap<string, RelationAccess> | undefined,
): DescribedRelation[] {
  return [...cache.relations.values()]
    .filter((relation) => relation.schema === schema)
    .map((relation) => ({ relation, access: accessOf(relation, accesses) }))
    .filter(({ access }) => Object.values(access).some(Boolean));
}

/** Returns the operations that both the relation and the privileges of the role allow. */
function accessOf(
  relation: Relation,
  accesses: ReadonlyMap<string, RelationAccess> | undefined,
): RelationAccess {
  const role = accesses?.get(relation.name);
  const isEverything = accesses === undefined;
  return {
    isReadable: isEverything || role?.isReadable === true,
    isInsertable: relation.isInsertable && (isEverything || role?.isInsertable === true),
    isUpdatable: relation.isUpdatable && (isEverything || role?.isUpdatable === true),
    isDeletable: relation.isDeletable && (isEverything || role?.isDeletable === true),
  };
}

/** Returns the schema of a row. */
export function relationDefinition(relation: Relation, cache: SchemaCache): Schema {
  const columns = [...relation.columns.values()];
  const required = columns.filter(({ isNullable }) => !isNullable).map(({ name }) => name);
  const references = referencesOf(relation, cache);
  return {
    ...(relation.description !== null && { description: relation.description }),
    ...(required.length > 0 && { required }),
    type: 'object',
    properties: Object.fromEntries(
      columns.map((column) => [column.name, propertyOf(column, relation, references)]),
    ),
  };
}

function propertyOf(
  column: Column,
  { primaryKey }: Relation,
  references: ReadonlyMap<string, KeyRelationship>,
): Schema {
  const reference = references.get(column.name);
  const value = defaultValue(column.default, swaggerType(column.baseType));
  const notes = [
    ...(primaryKey.includes(column.name) ? ['This is a Primary Key.<pk/>'] : []),
    ...(reference === undefined ? [] : [referenceNote(reference)]),
  ];
  const paragraphs = [
    ...(column.description === null ? [] : [column.description]),
    ...(notes.length === 0 ? [] : [['Note:', ...notes].join('\n')]),
  ];
  return {
    ...schemaOfType(column.baseType),
    ...(paragraphs.length > 0 && { description: paragraphs.join('\n\n') }),
    ...(value !== undefined && { default: value }),
    ...(column.enumLabels.length > 0 && { enum: column.enumLabels }),
    ...(column.maxLength !== null && { maxLength: column.maxLength }),
  };
}

/** Formats the note for a foreign key. Code generators parse the `<fk>` tag. */
function referenceNote({ to, columns }: KeyRelationship): string {
  const column = columns[0]?.[1];
  return `This is a Foreign Key to \`${to.name}.${column}\`.<fk table='${to.name}' column='${column}'/>`;
}

/** Returns the single-column foreign keys within the schema by their column. Prefers a table to a view that shows it. */
function referencesOf(relation: Relation, cache: SchemaCache): Map<string, KeyRelationship> {
  const references = (cache.relationships.get(keyOf(relation)) ?? []).filter(
    (each) => each.kind === 'key' && isReference(each),
  ) as KeyRelationship[];
  const ofColumns = new Map<string, KeyRelationship>();
  for (const reference of [...references.filter((each) => !each.isToView), ...references]) {
    const column = reference.columns[0]?.[0] ?? '';
    if (!ofColumns.has(column)) ofColumns.set(column, reference);
  }
  return ofColumns;
}

function isReference({ cardinality, isParent, columns, from, to }: KeyRelationship): boolean {
  const hasKey = cardinality === 'many-to-one' || (cardinality === 'one-to-one' && !isParent);
  return hasKey && columns.length === 1 && from.schema === to.schema;
}

/** Returns the parameters of the operations on a relation by their names in the document. */
export function relationParameters({ name, columns }: Relation): [string, Parameter][] {
  const body: Parameter = {
    name,
    description: name,
    required: false,
    in: 'body',
    schema: referenceTo('definitions', name),
  };
  return [
    [bodyName(name), body],
    ...filterable(columns).map((column): [string, Parameter] => [
      filterName(name, column),
      {
        name: column.name,
        ...(column.description !== null && { description: column.description }),
        required: false,
        in: 'query',
        type: 'string',
      },
    ]),
  ];
}

function filterable(columns: Relation['columns']): Column[] {
  return [...columns.values()].filter(({ name }) => !RESERVED.has(name));
}

function bodyName(relation: string): string {
  return `body.${relation}`;
}

function filterName(relation: string, column: Column): string {
  return `rowFilter.${relation}.${column.name}`;
}

/** Returns the path of a relation with the allowed methods. */
export function relationPath({ relation, access }: DescribedRelation): [path: string, PathItem] {
  const { name } = relation;
  const common = { tags: [name], ...splitComment(relation.description) };
  const filters = filterable(relation.columns).map((column) => filterName(name, column));
  const operation = (parameters: readonly string[], responses: Operation['responses']): Operation => ({
    ...common,
    parameters: parameters.map(parameterReference),
    responses,
  });
  const rows: Schema = { type: 'array', items: referenceTo('definitions', name) };
  return [
    `/${pathSegment(name)}`,
    {
      ...(access.isReadable && {
        get: operation([...filters, ...READ_PARAMETERS], {
          200: { description: 'OK', schema: rows },
          206: { description: 'Partial Content' },
        }),
      }),
      ...(access.isInsertable && {
        post: operation([bodyName(name), 'select', 'preferPost'], { 201: { description: 'Created' } }),
      }),
      ...(access.isDeletable && {
        delete: operation([...filters, 'preferReturn'], { 204: { description: 'No Content' } }),
      }),
      ...(access.isUpdatable && {
        patch: operation([...filters, bodyName(name), 'preferReturn'], {
          204: { description: 'No Content' },
        }),
      }),
    },
  ];
}

const READ_PARAMETERS = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'];

function parameterReference(name: string): Reference {
  return referenceTo('parameters', name);
}
