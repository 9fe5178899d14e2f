/** The options of `greenroom gen types`, as in the Supabase CLI. `--output` and `--watch` are additions. */
import { LANGUAGES, type Language, SWIFT_ACCESS_CONTROLS, type TypesRequest } from '@greenroom/typegen';
import { databaseUrl } from '../connection-url.ts';
import { durationOption } from '../duration-option.ts';

const DEFAULT_TIMEOUT = '15s';

/** Parsed options. */
export interface TypesOptions extends Omit<TypesRequest, 'schemas' | 'skipsMissing'> {
  /** Undefined: `public` and the exposed ones. */
  schemas: readonly string[] | undefined;
  /** URL of another database than that of the instance. */
  databaseUrl: string | undefined;
  /** Path of the file to write. Undefined: the standard output. */
  output: string | undefined;
  watches: boolean;
}

/** The values of the command line, by the names of the options. */
export interface TypesValues {
  lang?: string | undefined;
  schema?: readonly string[] | undefined;
  'query-timeout'?: string | undefined;
  'swift-access-control'?: (typeof SWIFT_ACCESS_CONTROLS)[number] | undefined;
  'db-url'?: string | undefined;
  output?: string | undefined;
  watch?: boolean;
  /** The arguments that are no options. */
  operands: readonly string[];
}

/** Checks the values. Throws with one message for the first that is not allowed. */
export function readTypesOptions(values: TypesValues): TypesOptions {
  const { output, watch: watches = false, 'db-url': url } = values;
  if (output === '')
    throw new Error('--output requires the path of a file, e.g. --output database.types.ts.');
  if (watches && output === undefined) {
    throw new Error(
      '--watch requires --output <file>: a redirected output would contain each version after the former one.',
    );
  }
  return {
    language: languageOf(values.operands, values.lang),
    schemas: values.schema && schemasOf(values.schema),
    timeoutMs: durationOption('--query-timeout', values['query-timeout'] ?? DEFAULT_TIMEOUT),
    swiftAccessControl: values['swift-access-control'] ?? SWIFT_ACCESS_CONTROLS[0],
    databaseUrl: url === undefined ? undefined : databaseUrl('--db-url', url),
    output,
    watches,
  };
}

/** Also accepts the language as an argument: `gen types typescript`. */
function languageOf(positionals: readonly string[], option: string | undefined): Language {
  const [argument, ...others] = positionals;
  if (others.length > 0) throw new Error(`gen types accepts one language, not ${positionals.join(' ')}.`);
  if (argument !== undefined && option !== undefined && argument !== option)
    throw new Error(`use either the argument ${argument} or --lang ${option}.`);
  const name = option ?? argument ?? LANGUAGES[0];
  if (name === 'dart') {
    throw new Error(
      `types for Dart are not available: the library that generates the types has ${LANGUAGES.join(', ')} only.`,
    );
  }
  return oneOf(LANGUAGES, '--lang', name);
}

/** Each option may contain several names, separated by commas. */
function schemasOf(lists: readonly string[]): string[] {
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  if (names.includes(''))
    throw new Error('--schema requires names of schemas, e.g. --schema public,private.');
  return [...new Set(names)];
}

function oneOf<T extends string>(allowed: readonly T[], name: string, text: string): T {
  const found = allowed.find((each) => each === text);
  if (found !== undefined) return found;
  throw new Error(`${name}=${JSON.stringify(text)} is not allowed. Allowed: ${allowed.join(', ')}.`);
}
