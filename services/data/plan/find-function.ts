/**
 * Which function a call means. Of overloads, the names of the arguments alone decide, for their types are known to
 * PostgreSQL only.
 */
import { type Arguments, argumentNames, wholeBodyParameter } from '../request/arguments.ts';
import type { MediaType } from '../request/media-type.ts';
import {
  type FunctionParameter,
  keyOf,
  type QualifiedName,
  type SchemaCache,
  type SqlFunction,
} from '../schema-cache/schema-cache.ts';
import { ambiguousFunction, missingFunction } from './function-refusals.ts';

/** The function that is called. */
export interface ChosenFunction {
  function: SqlFunction;
  /** Its only parameter, which has no name and takes the body of the request as it is. */
  wholeBody: FunctionParameter | undefined;
}

type Functions = Pick<SchemaCache, 'functions'>;

const NO_ARGUMENTS: Arguments = { kind: 'texts', pairs: [] };

/**
 * Finds the function whose required parameters are all given, and that has all parameters which are. Where there is
 * none, a body may be the one value of a parameter without a name.
 *
 * @param contentType of the body; of no interest where the arguments are in the URL
 * @throws PGRST202 where there is none, PGRST203 where there are several
 */
export function findFunction(
  cache: Functions,
  name: QualifiedName,
  given: Arguments,
  contentType: MediaType,
): ChosenFunction {
  const overloads = cache.functions.get(keyOf(name)) ?? [];
  const names = new Set(argumentNames(given));
  const byNames = overloads
    .filter((overload) => takesNames(overload, given, names))
    .map((each) => withNames(each, given));
  const found =
    byNames.length > 0 ? byNames : overloads.flatMap((each) => withBody(each, given, contentType));
  const [first, ...others] = found;
  if (first === undefined) throw missingFunction({ cache, name, given, contentType, overloads });
  if (others.length > 0) throw ambiguousFunction(found.map(({ function: candidate }) => candidate));
  return first;
}

/**
 * Finds the function that is called without arguments: what OPTIONS tells about.
 * @throws PGRST202, PGRST203
 */
export function findWithoutArguments(cache: Functions, name: QualifiedName): SqlFunction {
  return findFunction(cache, name, NO_ARGUMENTS, { kind: 'json' }).function;
}

/** A parameter without a name may be given by the empty name, or not at all; of a body, it takes the whole all the same. */
function withNames(overload: SqlFunction, given: Arguments): ChosenFunction {
  const [only] = overload.parameters;
  const wholeBody = given.kind !== 'texts' && only?.name === '' ? only : undefined;
  return { function: overload, wholeBody };
}

function withBody(overload: SqlFunction, given: Arguments, contentType: MediaType): ChosenFunction[] {
  const wholeBody = given.kind === 'texts' ? undefined : wholeBodyParameter(overload, contentType);
  return wholeBody === undefined ? [] : [{ function: overload, wholeBody }];
}

function takesNames({ parameters }: SqlFunction, given: Arguments, names: ReadonlySet<string>): boolean {
  // With these the body would be lost.
  if (given.kind === 'raw' && parameters.length === 0) return false;
  const known = new Set(parameters.map(({ name }) => name));
  return (
    names.isSubsetOf(known) && parameters.every(({ name, isRequired }) => !isRequired || names.has(name))
  );
}
