/** Keys of config.toml about the database of a project, except for migrations and seeds. */
import type { ConfigProblem, ConfigValue } from '@greenroom/config';
import { QUEUE_API_SCHEMA } from '../database/queue-api.ts';
import { type ConfigDocument, isTable, shownValue, valueAt } from './document.ts';
import { booleanOf } from './key-values.ts';

/** The values of these keys. */
export interface DatabaseKeys {
  /** `api.auto_expose_new_tables`; undefined if the file does not contain it. */
  exposesNewTables: boolean | undefined;
  /** Whether `api.schemas` contains the schema of functions for clients of queues. */
  exposesQueues: boolean;
  /** `db.major_version`; undefined if the file does not contain it. */
  majorVersion: number | undefined;
  /** `experimental.webhooks.enabled`; undefined if the file does not contain it. */
  webhooks: true | undefined;
  /** `db.vault`: secrets by name. */
  secrets: ReadonlyMap<string, string>;
}

interface DatabaseKeysReading {
  keys: DatabaseKeys;
  problems: readonly ConfigProblem[];
  warnings: readonly string[];
}

const VAULT = ['db', 'vault'];
/** A reference whose variable is unset. */
const UNSET = /^env\((.*)\)$/;
/** A value that dotenvx has encrypted. */
const ENCRYPTED = /^encrypted:/;

/** Reads the keys. A value that is not allowed is a problem, a secret without a value a warning. */
export function readDatabaseKeys(document: ConfigDocument): DatabaseKeysReading {
  const problems: ConfigProblem[] = [];
  const warnings: string[] = [];

  function check<T>(
    path: readonly string[],
    convert: (value: ConfigValue) => T | undefined,
    allowed: string,
  ) {
    const value = valueAt(document.values, path);
    if (value === undefined) return undefined;
    const converted = convert(value);
    if (converted === undefined) report(path, shownValue(value), allowed);
    return converted;
  }

  function report(path: readonly string[], value: string | undefined, allowed: string) {
    problems.push({ name: path.join('.'), value, allowed, origin: document.placeOf(path) });
  }

  function readSecrets(): Map<string, string> {
    const table = valueAt(document.values, VAULT) ?? {};
    const secrets = new Map<string, string>();
    for (const [name, value] of isTable(table) ? Object.entries(table) : []) {
      const path = [...VAULT, name];
      const [, variable] = (typeof value === 'string' && UNSET.exec(value)) || [];
      if (typeof value !== 'string' || ENCRYPTED.test(value)) {
        report(path, undefined, 'a plain text or env(NAME)');
      } else if (variable === undefined) {
        secrets.set(name, value);
      } else {
        const place = document.placeOf(path);
        warnings.push(`${place}: ${path.join('.')} is not stored, because the variable ${variable} is unset`);
      }
    }
    return secrets;
  }

  // Its setting is that of the keys that require it.
  check(['db', 'network_restrictions', 'enabled'], booleanOf, 'true, false');
  const exposesNewTables = check(['api', 'auto_expose_new_tables'], booleanOf, 'true, false');
  const webhooks = check(
    ['experimental', 'webhooks', 'enabled'],
    (value) => booleanOf(value) || undefined,
    'true, or no value: database webhooks cannot be disabled',
  );
  const majorVersion = check(['db', 'major_version'], versionOf, 'a whole number such as 17');
  // Its setting checks the value.
  const exposesQueues = [valueAt(document.values, ['api', 'schemas'])].flat().includes(QUEUE_API_SCHEMA);
  return {
    keys: { exposesNewTables, exposesQueues, majorVersion, webhooks, secrets: readSecrets() },
    problems,
    warnings,
  };
}

/** Returns a version of PostgreSQL. The value of a variable is a text. */
function versionOf(value: ConfigValue): number | undefined {
  const version = Number(value);
  return Number.isInteger(version) && version > 0 ? version : undefined;
}
