/**
 * An extension named pgtap with a few of its functions, for tests on machines without the files of pgTAP. It writes the same
 * lines; the counters are settings of the session.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SCRIPT = `
create function plan(tests integer) returns text language sql as $$
  select '1..' || tests from (
    select set_config('tap.planned', tests::text, false), set_config('tap.ran', '0', false)
  ) counters
$$;
create function ok(passed boolean, description text) returns text language plpgsql as $$
declare
  number constant integer := current_setting('tap.ran')::integer + 1;
begin
  perform set_config('tap.ran', number::text, false);
  return case when passed then '' else 'not ' end || 'ok ' || number || ' - ' || description
    || case when passed then '' else format(E'\\n# Failed test %s: "%s"', number, description) end;
end $$;
create function pass(description text) returns text language sql as 'select ok(true, description)';
create function fail(description text) returns text language sql as 'select ok(false, description)';
create function "is"(have anyelement, want anyelement, description text) returns text language sql as $$
  select ok(have is not distinct from want, description)
    || case when have is not distinct from want then '' else format(E'\\n#   have: %s\\n#   want: %s', have, want) end
$$;
create function finish() returns setof text language sql as $$
  select '# Looks like you planned ' || current_setting('tap.planned')
  where current_setting('tap.planned') <> current_setting('tap.ran')
$$;
`;

/** Writes the files of the extension to a folder, for `greenroom extensions add`. */
export async function writeStandIn(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'pgtap.control'), "default_version = '0.1'\nrelocatable = true\n");
  await writeFile(join(folder, 'pgtap--0.1.sql'), SCRIPT);
}
