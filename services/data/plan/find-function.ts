/**
 * Resolves a call to one function. Among overloads, the names of the arguments alone decide: their types are known to
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
 * @param contentType of the body; ignored where the arguments are in the URL
 * @throws PGRST202 where there is none, PGRST203 where there are several
 */
export function findFunction(
  cache: Functions,
  name: QualifiedName,
  args: Arguments,
  contentType: MediaType,
): ChosenFunction {
  const overloads = cache.functions.get(keyOf(name)) ?? [];
  const names = new Set(argumentNames(args));
  const byNames = overloads
    .filter((overload) => takesNames(overload, args, names))
    .map((each) => withNames(each, args));
  const found = byNames.length > 0 ? byNames : overloads.flatMap((each) => withBody(each, args, contentType));
  const [first, ...others] = found;
  if (first === undefined) throw missingFunction({ cache, name, args, contentType, overloads });
  if (others.length > 0) throw ambiguousFunction(found.map(({ function: candidate }) => candidate));
  return first;
}

/**
 * Finds the function that a call without arguments calls, for OPTIONS.
 * @throws PGRST202, PGRST203
 */
export function findWithoutArguments(cache: Functions, name: QualifiedName): SqlFunction {
  return findFunction(cache, name, NO_ARGUMENTS, { kind: 'json' }).function;
}

/** The only parameter, if it has no name, takes the whole body, whether or not an argument has the empty name. */
function withNames(overload: SqlFunction, args: Arguments): ChosenFunction {
  const [only] = overload.parameters;
  const wholeBody = args.kind !== 'texts' && only?.name === '' ? only : undefined;
  return { function: overload, wholeBody };
}

function withBody(overload: SqlFunction, args: Arguments, contentType: MediaType): ChosenFunction[] {
  const wholeBody = args.kind === 'texts' ? undefined : wholeBodyParameter(overload, contentType);
  return wholeBody === undefined ? [] : [{ function: overload, wholeBody }];
}

function takesNames({ parameters }: SqlFunction, args: Arguments, names: ReadonlySet<string>): boolean {
  // A function without parameters would ignore the body.
  if (args.kind === 'raw' && parameters.length === 0) return false;
  const known = new Set(parameters.map(({ name }) => name));
  return (
    names.isSubsetOf(known) && parameters.every(({ name, isRequired }) => !isRequired || names.has(name))
  );
}
