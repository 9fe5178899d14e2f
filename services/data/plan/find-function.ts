/**
 * Resolves a call to one function. Only the names of the arguments select an overload, because the types of the
 * arguments are unknown.
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

/** The function selected for a call. */
export interface ChosenFunction {
  function: SqlFunction;
  /** The single unnamed parameter, if it receives the whole body of the request. */
  wholeBody: FunctionParameter | undefined;
}

type Functions = Pick<SchemaCache, 'functions'>;

const NO_ARGUMENTS: Arguments = { kind: 'texts', pairs: [] };

/**
 * Finds the function that has a parameter for each argument and an argument for each required parameter. If there is none,
 * finds a function with a single unnamed parameter for the whole body.
 *
 * @param contentType media type of the body; ignored if the arguments are in the URL
 * @throws PGRST202 if no function matches, PGRST203 if several do
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
    .filter((overload) => acceptsNames(overload, args, names))
    .map((each) => withNames(each, args));
  const found = byNames.length > 0 ? byNames : overloads.flatMap((each) => withBody(each, args, contentType));
  const [first, ...others] = found;
  if (first === undefined) throw missingFunction({ cache, name, args, contentType, overloads });
  if (others.length > 0) throw ambiguousFunction(found.map(({ function: candidate }) => candidate));
  return first;
}

/**
 * Finds the function for a call without arguments.
 * @throws PGRST202, PGRST203
 */
export function findWithoutArguments(cache: Functions, name: QualifiedName): SqlFunction {
  return findFunction(cache, name, NO_ARGUMENTS, { kind: 'json' }).function;
}

/** A single unnamed parameter receives the whole body, even if the body has an argument with an empty name. */
function withNames(overload: SqlFunction, args: Arguments): ChosenFunction {
  const [only] = overload.parameters;
  const wholeBody = args.kind !== 'texts' && only?.name === '' ? only : undefined;
  return { function: overload, wholeBody };
}

function withBody(overload: SqlFunction, args: Arguments, contentType: MediaType): ChosenFunction[] {
  const wholeBody = args.kind === 'texts' ? undefined : wholeBodyParameter(overload, contentType);
  return wholeBody === undefined ? [] : [{ function: overload, wholeBody }];
}

function acceptsNames({ parameters }: SqlFunction, args: Arguments, names: ReadonlySet<string>): boolean {
  // A function without parameters would ignore the body.
  if (args.kind === 'raw' && parameters.length === 0) return false;
  const known = new Set(parameters.map(({ name }) => name));
  return (
    names.isSubsetOf(known) && parameters.every(({ name, isRequired }) => !isRequired || names.has(name))
  );
}
