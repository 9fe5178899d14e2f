/** Keys of config.toml about the project itself: its id, migrations and seeds. They are not settings of an instance. */
import type { ConfigProblem, ConfigValue } from '@greenroom/config';
import { type ConfigDocument, shownValue, valueAt } from './document.ts';

/** The values of these keys, defaults included. */
interface ProjectKeys {
  /** Letters, digits, `_`, `.` and `-`; undefined if the file names none. */
  projectId: string | undefined;
  migrations: {
    isEnabled: boolean;
    /** Files of the declared schema, relative to `supabase/`; may be globs. */
    schemaPaths: readonly string[];
  };
  seeds: {
    isEnabled: boolean;
    /** Relative to `supabase/`; may be globs. */
    paths: readonly string[];
  };
}

const MAX_ID_LENGTH = 40;

/** Reads the keys. A value that is not allowed is a problem, and its default is returned. */
export function readProjectKeys(document: ConfigDocument): {
  keys: ProjectKeys;
  problems: readonly ConfigProblem[];
} {
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
  const keys = {
    projectId: read('project_id', projectIdOf, 'a text'),
    migrations: {
      isEnabled: flag('db.migrations.enabled'),
      schemaPaths: paths('db.migrations.schema_paths', []),
    },
    seeds: { isEnabled: flag('db.seed.enabled'), paths: paths('db.seed.sql_paths', ['./seed.sql']) },
  };
  return { keys, problems };
}

function booleanOf(value: ConfigValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  // The value of a variable is a text.
  return value === 'true' || value === 'false' ? value === 'true' : undefined;
}

function textsOf(value: ConfigValue): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value as readonly ConfigValue[];
  return items.every((item) => typeof item === 'string') ? items : undefined;
}

/** Replaces other characters than letters, digits, `_`, `.` and `-`, and limits the length, as the Supabase CLI does. */
function projectIdOf(value: ConfigValue): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^[_.-]+/, '')
    .slice(0, MAX_ID_LENGTH);
}
