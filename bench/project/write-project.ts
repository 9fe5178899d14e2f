/** Writes projects whose migrations contain what migrations usually contain. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every fifth migration of a large project creates a table. */
const MIGRATIONS_OF_TABLE = 5;
/** Lines of a function in a large project, so that a migration has about 3 KB. */
const FUNCTION_LINES = 40;

/** Writes a project whose migrations create one table each. Returns the paths of the migrations. */
export function writeProject(project: string, count: number): Promise<string[]> {
  return writeMigrations(project, count, tableMigration);
}

/** Writes a project with many migrations: some create a table, and the others change it. */
export async function writeLargeProject(project: string, count: number): Promise<void> {
  await writeMigrations(project, count, (number) => {
    const index = Number(number) - 1;
    const change = index % MIGRATIONS_OF_TABLE;
    const table = String(index - change + 1).padStart(number.length, '0');
    return change === 0 ? tableMigration(table) : changeMigration(table, change);
  });
}

async function writeMigrations(
  project: string,
  count: number,
  contentOf: (number: string) => string,
): Promise<string[]> {
  const migrations = join(project, 'supabase/migrations');
  await mkdir(migrations, { recursive: true });
  const files = Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(String(count).length, '0');
    const path = join(migrations, `2026010100${number.padStart(4, '0')}_table_${number}.sql`);
    return { path, sql: contentOf(number) };
  });
  await Promise.all(files.map(({ path, sql }) => writeFile(path, sql)));
  return files.map(({ path }) => path);
}

function tableMigration(number: string): string {
  const table = `public.table_${number}`;
  return `create table ${table} (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null,
  title text not null check (char_length(title) between 1 and 200),
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on ${table} (owner_id, created_at desc);
alter table ${table} enable row level security;
create policy "owners read" on ${table} for select using (owner_id = (select auth.uid()));
create policy "owners write" on ${table} for insert with check (owner_id = (select auth.uid()));
create function public.touch_${number}() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end
$$;
create trigger touch before update on ${table} for each row execute function public.touch_${number}();
comment on table ${table} is 'A table with a ''quoted'' comment; and a semicolon.';
`;
}

function changeMigration(number: string, change: number): string {
  const table = `public.table_${number}`;
  const name = `public.report_${number}_${change}`;
  const lines = Array.from(
    { length: FUNCTION_LINES },
    (_, line) => `  -- Step ${line}: adds the rows of one owner.\n  total := total + ${line};`,
  );
  return `alter table ${table} add column note_${change} text not null default '';
create index on ${table} (note_${change}) where note_${change} <> '';
create or replace function ${name}(owner uuid) returns bigint language plpgsql stable as $$
declare
  total bigint := 0;
begin
${lines.join('\n')}
  return total + (select count(*) from ${table} where owner_id = owner);
end
$$;
grant execute on function ${name}(uuid) to authenticated;
`;
}
