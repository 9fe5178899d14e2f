import { defineLint } from '../lint.ts';

/** 0021: foreign keys that reference other columns of the schema `auth` than a primary key. */
export const fkeyToAuthUnique = defineLint<{ schema: string; name: string; foreign_key: string }>({
  name: 'fkey_to_auth_unique',
  title: 'Foreign Key to Auth Unique Constraint',
  level: 'ERROR',
  category: 'SECURITY',
  description:
    'Upgrades may change the unique constraints of the schema auth, and fail if a foreign key references one.',
  remediation: 'Reference the primary key of the table instead, e.g. auth.users (id).',
  sql: `
    select r.schema, r.name, k.conname as foreign_key
    from pg_constraint k
    join relation r on r.oid = k.conrelid
    join relation t on t.oid = k.confrelid
    join pg_index i on i.indexrelid = k.conindid
    where k.contype = 'f' and r.is_own and t.schema = 'auth' and not i.indisprimary
    order by r.schema, r.name, k.conname`,
  report: (row) => ({
    detail: `The foreign key ${row.foreign_key} of table ${row.schema}.${row.name} references a unique constraint of auth.`,
    metadata: row,
    key: [row.schema, row.name, row.foreign_key],
  }),
});
