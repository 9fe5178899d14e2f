/** Dumps the definitions of schemas. */
import { splitStatements } from '@greenroom/project/sql';
import { SCHEMAS_WITHOUT_OBJECTS } from './internal-schemas.ts';
import { runPgDump } from './run-pg-dump.ts';

/** What to dump. */
interface SchemaDump {
  /** Undefined: all except for those of the platform and of extensions. */
  schemas?: readonly string[] | undefined;
  keepsComments: boolean;
}

/** Statements that the platform or its superuser runs, so that the owner of another database cannot. */
const OF_PLATFORM: readonly RegExp[] = [
  /^SET transaction_timeout /,
  /^(?:CREATE|ALTER) PUBLICATION "supabase_realtime/,
  /^(?:CREATE|ALTER) EVENT TRIGGER /,
  /^ALTER FOREIGN DATA WRAPPER .+ OWNER TO /,
  /^GRANT ALL ON FOREIGN DATA WRAPPER .+ TO "postgres" WITH GRANT OPTION/,
  /^ALTER DEFAULT PRIVILEGES FOR ROLE "supabase_admin"/,
  /^COMMENT ON EXTENSION /,
  /^CREATE POLICY "cron_job_/,
  /^ALTER TABLE "cron"/,
];
/** Privileges on a schema of the platform, or on an object in it. */
const PRIVILEGE_ON_SCHEMA = /^(?:GRANT|REVOKE) .+? ON .*?"([^"]+)"/;
/** Statements that then also succeed if the object exists. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^CREATE (SCHEMA|TABLE|SEQUENCE) "/, 'CREATE $1 IF NOT EXISTS "'],
  [/^CREATE (VIEW|FUNCTION|TRIGGER) "/, 'CREATE OR REPLACE $1 "'],
  // Their schemas belong to them.
  [/^(CREATE EXTENSION IF NOT EXISTS "(?:pg_tle|pgsodium|pgmq)").*/, '$1'],
];

/** Returns the arguments of pg_dump. */
export function schemaArguments({ schemas }: SchemaDump): string[] {
  return [
    '--schema-only',
    '--quote-all-identifiers',
    ...(schemas === undefined
      ? [`--exclude-schema=${SCHEMAS_WITHOUT_OBJECTS.join('|')}`]
      : schemas.map((name) => `--schema="${name.replaceAll('"', '""')}"`)),
  ];
}

/** Returns the SQL that creates the schemas, and that other databases accept. Throws `DumpError`. */
export async function dumpSchema(url: string, dump: SchemaDump): Promise<string> {
  const text = await runPgDump(url, schemaArguments(dump));
  return adaptSchema(text, dump.keepsComments);
}

/** Changes the output of pg_dump like the Supabase CLI, but by statements instead of lines: bodies of functions stay. */
function adaptSchema(dump: string, keepsComments: boolean): string {
  const adapted = splitStatements(dump).flatMap(({ text, codeOffset }) => {
    const code = text.slice(codeOffset);
    if (code === '' || isOfPlatform(code)) return [];
    const replaced = REPLACEMENTS.reduce((sql, [from, to]) => sql.replace(from, to), code);
    return [`${keepsComments ? text.slice(0, codeOffset) : ''}${replaced};\n`];
  });
  return adapted.join('\n');
}

function isOfPlatform(code: string): boolean {
  const [, schema] = PRIVILEGE_ON_SCHEMA.exec(code) ?? [];
  return (
    OF_PLATFORM.some((pattern) => pattern.test(code)) ||
    (schema !== undefined && SCHEMAS_WITHOUT_OBJECTS.includes(schema))
  );
}
