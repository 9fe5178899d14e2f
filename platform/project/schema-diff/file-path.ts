/** Distributes the statements of a schema to files: one folder for each schema, one file for each object. */
import type { StableId } from '@supabase/pg-delta/core';

/** The folder of objects that belong to no schema. */
const CLUSTER = '_cluster';

/** Folders by kind. Parts of tables are in the file of their table. */
const FOLDERS: Readonly<Partial<Record<StableId['kind'], string>>> = {
  table: 'tables',
  column: 'tables',
  constraint: 'tables',
  trigger: 'tables',
  rule: 'tables',
  policy: 'tables',
  default: 'tables',
  view: 'views',
  materializedView: 'materialized-views',
  foreignTable: 'foreign-tables',
  sequence: 'sequences',
  index: 'indexes',
  collation: 'collations',
  domain: 'types',
  type: 'types',
  typeAttribute: 'types',
  function: 'functions',
  procedure: 'functions',
  aggregate: 'functions',
};

/**
 * Returns the file of an object, relative to the folder of the schema files and with slashes.
 * @param table the table of an index
 */
export function filePathOf(id: StableId | undefined, table?: StableId): string {
  if (id === undefined) return `${CLUSTER}/other.sql`;
  if ('target' in id) return filePathOf(id.target, table);
  if (id.kind === 'index' && table !== undefined) return filePathOf(table);
  if (id.kind === 'schema') return `${fileName(id.name)}/schema.sql`;
  if (id.kind === 'extension') return `${CLUSTER}/extensions/${fileName(id.name)}.sql`;
  if (id.kind === 'publicationRel' || id.kind === 'publicationSchema') return `${CLUSTER}/publications.sql`;
  if (id.kind === 'defaultPrivilege') return `${folderOf(id.schema)}/default-privileges.sql`;
  const folder = FOLDERS[id.kind];
  if (folder === undefined || !('schema' in id)) return `${CLUSTER}/${id.kind}s.sql`;
  return `${folderOf(id.schema)}/${folder}/${fileName(nameOf(id))}.sql`;
}

function folderOf(schema: string | null): string {
  return schema === null ? CLUSTER : fileName(schema);
}

function nameOf(id: StableId): string {
  if ('table' in id) return id.table;
  if ('type' in id) return id.type;
  return 'name' in id ? id.name : 'other';
}

/** Encodes characters that file systems do not allow, and a name that would be hidden or the folder of the cluster. */
function fileName(name: string): string {
  const encoded = name.replace(/[^\p{L}\p{N}_.-]/gu, (character) => encodeURIComponent(character));
  return /^(?:\.|_cluster$)/.test(encoded) ? `%${encoded}` : encoded;
}
