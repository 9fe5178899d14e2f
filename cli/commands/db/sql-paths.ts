/** An option of commands that run seeds. */
export const SQL_PATHS = {
  value: 'path',
  isRepeatable: true,
  summary:
    'Seed from these files instead of db.seed.sql_paths: paths or globs, relative to supabase/; may be repeated',
} as const;
