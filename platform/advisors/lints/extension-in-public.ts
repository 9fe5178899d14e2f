import { defineLint } from '../lint.ts';

/** 0014: extensions in the schema `public`. */
export const extensionInPublic = defineLint<{ schema: string; name: string; type: string }>({
  name: 'extension_in_public',
  title: 'Extension in Public',
  level: 'WARN',
  category: 'SECURITY',
  description: 'The functions of an extension in the schema public are part of the data API.',
  remediation: 'Move the extension to another schema: alter extension … set schema extensions.',
  sql: `
    select n.nspname as schema, e.extname as name, 'extension' as type
    from pg_extension e
    join pg_namespace n on n.oid = e.extnamespace
    where n.nspname = 'public' and e.extname <> 'plpgsql'
    order by e.extname`,
  report: (row) => ({
    detail: `The extension ${row.name} is in the schema public.`,
    metadata: row,
    key: [row.name],
  }),
});
