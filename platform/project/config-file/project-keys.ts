/** Keys of config.toml about the project itself: its id, database and buckets. They are not settings of an instance. */
import type { ConfigProblem, ConfigValue } from '@greenroom/config';
import type { Project } from '../find-project.ts';
import { type DeclaredBucket, readBuckets } from './bucket-keys.ts';
import { type DatabaseKeys, readDatabaseKeys } from './database-keys.ts';
import { type ConfigDocument, shownValue, valueAt } from './document.ts';
import { type FunctionsKeys, readFunctionsKeys } from './function-keys.ts';
import { readInspectRules } from './inspect-keys.ts';
import { booleanOf, textsOf } from './key-values.ts';
import { readSchemaKeys, type SchemaKeys } from './schema-keys.ts';

/** The values of these keys, defaults included. */
interface ProjectKeys {
  /** Letters, digits, `_`, `.` and `-`; undefined if the file names none. */
  projectId: string | undefined;
  migrations: { isEnabled: boolean };
  schema: SchemaKeys;
  seeds: {
    isEnabled: boolean;
    /** Relative to `supabase/`; may be globs. */
    paths: readonly string[];
  };
  buckets: readonly DeclaredBucket[];
  database: DatabaseKeys;
  functions: FunctionsKeys;
  /** `experimental.inspect.rules` */
  inspectRules: ReturnType<typeof readInspectRules>['rules'];
}

interface ProjectKeysReading {
  keys: ProjectKeys;
  problems: readonly ConfigProblem[];
  warnings: readonly string[];
}

const MAX_ID_LENGTH = 40;

/** Reads the keys. A value that is not allowed is a problem, and its default is returned. */
export function readProjectKeys(
  document: ConfigDocument,
  project: Pick<Project, 'supabaseFolder'>,
): ProjectKeysReading {
  const problems: ConfigProblem[] = [];

  function read<T>(
    key: string,
    convert: (value: ConfigValue) => T | undefined,
    allowed: string,
  ): T | undefined {
    const path = key.split('.');
    const value = valueAt(document.values, path);
    if (value === undefined) return undefined;
    const converted = convert(value);
    if (converted === undefined) {
      problems.push({ name: key, value: shownValue(value), allowed, origin: document.placeOf(path) });
    }
    return converted;
  }

  const flag = (key: string) => read(key, booleanOf, 'true, false') ?? true;
  const paths = (key: string, initial: readonly string[]) => read(key, textsOf, 'a list of paths') ?? initial;
  const { buckets, problems: bucketProblems } = readBuckets(document, project);
  const databaseReading = readDatabaseKeys(document);
  const functions = readFunctionsKeys(document, project);
  const { rules: inspectRules, problems: ruleProblems } = readInspectRules(document);
  const keys = {
    projectId: read('project_id', projectIdOf, 'a text'),
    migrations: { isEnabled: flag('db.migrations.enabled') },
    schema: readSchemaKeys(read),
    seeds: { isEnabled: flag('db.seed.enabled'), paths: paths('db.seed.sql_paths', ['./seed.sql']) },
    buckets,
    database: databaseReading.keys,
    functions: functions.keys,
    inspectRules,
  };
  return {
    keys,
    problems: [
      ...problems,
      ...bucketProblems,
      ...databaseReading.problems,
      ...functions.problems,
      ...ruleProblems,
    ],
    warnings: [...databaseReading.warnings, ...functions.warnings],
  };
}

/** Replaces other characters than letters, digits, `_`, `.` and `-`, and limits the length, as the Supabase CLI does. */
function projectIdOf(value: ConfigValue): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^[_.-]+/, '')
    .slice(0, MAX_ID_LENGTH);
}
