/**
 * Errors for calls that match no function or several functions. The messages equal PostgREST's, because clients may parse
 * them.
 */
import { failure } from '../errors.ts';
import { type Arguments, argumentNames } from '../request/arguments.ts';
import type { MediaType } from '../request/media-type.ts';
import { CLOSE_SIMILARITY, nearestName } from '../schema-cache/nearest-name.ts';
import type { QualifiedName, SchemaCache, SqlFunction } from '../schema-cache/schema-cache.ts';

/** A call that matches no function. */
interface MissingFunction {
  cache: Pick<SchemaCache, 'functions'>;
  name: QualifiedName;
  args: Arguments;
  contentType: MediaType;
  /** The functions with that name. */
  overloads: readonly SqlFunction[];
}

/** Maximum length of the list of arguments in a message. A body may have thousands of names. */
const MAX_LIST_CHARACTERS = 1000;

/** Creates PGRST202. */
export function missingFunction({ cache, name, args, contentType, overloads }: MissingFunction) {
  const own = `${name.schema}.${name.name}`;
  if (args.kind === 'raw') {
    return missing(own, `${own} with a single unnamed ${typeOfRaw(args.mediaType)} parameter`, null);
  }
  const names = argumentNames(args);
  const list = listOf(names);
  const isBare = names.length === 0;
  const byNames = isBare
    ? ' without parameters'
    : ` with parameter${names.length > 1 ? 's' : ''} ${inner(list)}`;
  const acceptsBody = args.kind === 'json' && contentType.kind === 'json';
  const signature = `${own}${byNames}${acceptsBody ? ' or with a single unnamed json/jsonb parameter' : ''}`;
  const called = isBare ? `${own} without parameters` : own + list;
  return missing(called, signature, hintOf(cache, name, list, overloads));
}

function missing(called: string, signature: string, hint: string | null) {
  const message = `Could not find the function ${called} in the schema cache`;
  const details = `Searched for the function ${signature}, but no matches were found in the schema cache.`;
  return failure('PGRST202', { message, extra: { details, hint } });
}

function typeOfRaw({ kind }: MediaType): string {
  return kind === 'octet-stream' ? 'bytea' : kind;
}

function inner(list: string): string {
  return list.slice(1, -1);
}

/** Creates PGRST203. */
export function ambiguousFunction(candidates: readonly SqlFunction[]) {
  const hint =
    'Try renaming the parameters or the function itself in the database so function overloading can be resolved';
  return failure('PGRST203', {
    message: `Could not choose the best candidate function between: ${candidates.map(signatureOf).join(', ')}`,
    extra: { details: null, hint },
  });
}

function signatureOf({ schema, name, parameters }: SqlFunction): string {
  return `${schema}.${name}(${parameters.map((each) => `${each.name} => ${each.type}`).join(', ')})`;
}

/**
 * Returns a hint with the nearest function name or, for an existing name, the nearest list of parameters. A caller who
 * knows the name may see the parameters.
 */
function hintOf(
  { functions }: MissingFunction['cache'],
  { schema, name }: QualifiedName,
  list: string,
  overloads: readonly SqlFunction[],
): string | null {
  const isUnknown = overloads.length === 0;
  const near = isUnknown
    ? nearestName(name, namesWithin(functions, schema), CLOSE_SIMILARITY)
    : nearestName(list, overloads.flatMap(listsOf));
  if (near === undefined) return null;
  return `Perhaps you meant to call the function ${schema}.${isUnknown ? near : name + near}`;
}

function namesWithin(functions: SchemaCache['functions'], schema: string): string[] {
  return [...functions.values()].flatMap(([first]) => (first?.schema === schema ? [first.name] : []));
}

/** Returns the list of parameters of a function, or nothing if a parameter is unnamed. */
function listsOf({ parameters }: SqlFunction): string[] {
  const names = parameters.map(({ name }) => name);
  return names.includes('') ? [] : [listOf(names)];
}

/** Formats a list of names. Sorts it so that the same names produce the same text. */
function listOf(names: readonly string[]): string {
  const list = `(${names.toSorted().join(', ')})`;
  if (list.length <= MAX_LIST_CHARACTERS) return list;
  return `${list.slice(0, MAX_LIST_CHARACTERS).toWellFormed()}…)`;
}
