/** Loads definitions from the database. */
import type { MetaClient } from '../../../session/meta-client.server.ts';
import type { FunctionDefinition, SchemaObjects, StructureContext, TableDefinition } from './definition.ts';
import { type DefinitionQuery, definitionQuery, dependentsQuery, objectsQuery } from './definition-query.ts';
import { linesOfDefinition } from './differences.ts';
import { formOf, isTableForm } from './forms.ts';
import type { StructureSelection } from './selection.ts';
import type { ChangeAccess, OpenForm, StructureView } from './view.ts';

/** A definition with its hash. */
interface Defined<T> {
  definition: T;
  hash: string;
}

/** The data of a page, and the context of its form. */
export interface LoadedStructure {
  view: StructureView & { kind: 'structure' };
  context: StructureContext;
}

/** Loads the selected objects, with the open form. Rejects with `MetaError`. */
export async function loadSelected(
  meta: MetaClient,
  selection: StructureSelection,
): Promise<LoadedStructure> {
  const { schema, table: tableName, object } = selection;
  const [objects, table, status, basis] = await Promise.all([
    readObjects(meta, schema),
    tableName === ''
      ? undefined
      : readDefinition<TableDefinition>(meta, definitionQuery('table', schema, tableName)),
    meta.status(),
    readBasis(meta, selection),
  ]);
  const routine =
    basis?.kind === 'function' ? (basis.found?.definition as FunctionDefinition | undefined) : undefined;
  const context = { schema, objects, table: table?.definition, routine, object };
  const access: ChangeAccess = {
    isAllowed: status.schema_changes,
    refusal: status.schema_changes_refusal,
    writesMigrations: status.writes_migrations,
  };
  const open = access.isAllowed
    ? await openForm(meta, selection, { table, basis: basis?.found, routine })
    : undefined;
  return {
    view: { kind: 'structure', schema, tableName, objects, table: table?.definition, access, open },
    context,
  };
}

async function readObjects(meta: MetaClient, schema: string): Promise<SchemaObjects> {
  const { sql, parameters } = objectsQuery(schema);
  const [row] = await meta.rows<{ objects: SchemaObjects }>(sql, parameters);
  if (row === undefined) throw new TypeError('The query of objects has one row.');
  return row.objects;
}

async function readDefinition<T>(
  meta: MetaClient,
  { sql, parameters }: DefinitionQuery,
): Promise<Defined<T> | undefined> {
  const [row] = await meta.rows<Defined<T>>(sql, parameters);
  return row;
}

/** The table of a form is loaded for the page in any case. */
async function readBasis(meta: MetaClient, { schema, change, object }: StructureSelection) {
  if (change === '') return undefined;
  const { basis } = formOf(change);
  if (basis === undefined || basis === 'table') return undefined;
  return { kind: basis, found: await readDefinition(meta, definitionQuery(basis, schema, object)) };
}

interface FormParts {
  table: Defined<TableDefinition> | undefined;
  basis: Defined<unknown> | undefined;
  routine: FunctionDefinition | undefined;
}

/** Returns undefined if the object of the form does not exist. */
async function openForm(
  meta: MetaClient,
  selection: StructureSelection,
  { table, basis: other, routine }: FormParts,
): Promise<OpenForm | undefined> {
  const { change: form, object } = selection;
  if (form === '' || (isTableForm(form) && table === undefined)) return undefined;
  const { basis } = formOf(form);
  const found = basis === 'table' ? table : other;
  if (basis !== undefined && found === undefined) return undefined;
  return {
    form,
    object,
    routine,
    hash: found?.hash ?? '',
    basis: linesOfDefinition(found?.definition ?? {}).join('\n'),
    dependents: await readDependents(meta, selection),
    values: undefined,
    migrationName: '',
    problem: undefined,
  };
}

async function readDependents(meta: MetaClient, selection: StructureSelection): Promise<string[]> {
  const { schema, table, change, object } = selection;
  const drops = change === '' ? undefined : formOf(change).drops;
  if (drops === undefined) return [];
  const { sql, parameters } = dependentsQuery(drops, [schema, table, object]);
  const rows = await meta.rows<{ description: string | null }>(sql, parameters);
  return rows.flatMap(({ description }) => description ?? []);
}
