import { defineLint } from '../lint.ts';

/** 0018: columns of types that pg_upgrade refuses, because their values are numbers of objects. */
export const unsupportedRegTypes = defineLint<{
  schema: string;
  name: string;
  type: string;
  column: string;
  column_type: string;
}>({
  name: 'unsupported_reg_types',
  title: 'Unsupported reg types',
  level: 'WARN',
  category: 'SECURITY',
  description:
    'A database whose tables have columns of these types cannot be upgraded to another version of PostgreSQL.',
  remediation: 'Change the column to text, and convert it in queries.',
  sql: `
    select r.schema, r.name, r.type, a.attname as column, t.typname as column_type
    from relation r
    join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid and t.typnamespace = 'pg_catalog'::regnamespace
    where r.kind in ('r', 'p', 'm') and r.is_own
      and t.typname in (
        'regcollation', 'regconfig', 'regdictionary', 'regnamespace', 'regoper', 'regoperator', 'regproc',
        'regprocedure'
      )
    order by r.schema, r.name, a.attnum`,
  report: ({ column_type: type, ...object }) => ({
    detail: `The column ${object.column} of table ${object.schema}.${object.name} has the type ${type}.`,
    metadata: object,
    key: [object.schema, object.name, object.column],
  }),
});
