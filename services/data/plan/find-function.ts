/**
 * Which function a call means. Of overloads, the names of the arguments alone decide, for their types are known to
 * PostgreSQL only.
 */
import { failure } from '../errors.ts';
import { type Arguments, argumentNames, wholeBodyParameter } from '../request/arguments.ts';
import type { MediaType } from '../request/media-type.ts';
import { CLOSE_SIMILARITY, nearestName } from '../schema-cache/nearest-name.ts';
import {
  type FunctionParameter,
  keyOf,
  type QualifiedName,
  type SchemaCache,
  type SqlFunction,
} from '../schema-cache/schema-cache.ts';

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
  const named = overloads.filter((overload) => takesNames(overload, given, names));
  const [first, ...others] =
    named.length > 0 ? named : overloads.filter((each) => bodyOf(each) !== undefined);
  if (first === undefined) throw missing(cache, name, given, contentType, overloads);
  if (others.length > 0) throw ambiguous([first, ...others]);
  return { function: first, wholeBody: named.length > 0 ? undefined : bodyOf(first) };

  function bodyOf(overload: SqlFunction): FunctionParameter | undefined {
    return given.kind === 'texts' ? undefined : wholeBodyParameter(overload, contentType);
  }
}

/**
 * Finds the function that is called without arguments: what OPTIONS tells about.
 * @throws PGRST202, PGRST203
 */
export function findWithoutArguments(cache: Functions, name: QualifiedName): SqlFunction {
  return findFunction(cache, name, NO_ARGUMENTS, { kind: 'json' }).function;
}

function takesNames({ parameters }: SqlFunction, given: Arguments, names: ReadonlySet<string>): boolean {
  // With these the body would be lost.
  const isUnnamed = parameters.some(({ name }) => name === '');
  if (given.kind === 'raw' && parameters.length === 0) return false;
  if (given.kind !== 'texts' && isUnnamed) return false;
  const known = new Set(parameters.map(({ name }) => name));
  const isGiven = (name: string) => name !== '' && names.has(name);
  return (
    names.values().every((name) => name !== '' && known.has(name)) &&
    parameters.every(({ name, isRequired }) => !isRequired || isGiven(name))
  );
}

/** What a body of a type that has no names in it may be the value of. */
const RAW_TYPES: Readonly<Partial<Record<MediaType['kind'], string>>> = {
  text: 'text',
  xml: 'xml',
  'octet-stream': 'bytea',
};

function missing(
  cache: Functions,
  { schema, name }: QualifiedName,
  given: Arguments,
  contentType: MediaType,
  overloads: readonly SqlFunction[],
) {
  const own = `${schema}.${name}`;
  const type = given.kind === 'raw' ? RAW_TYPES[contentType.kind] : undefined;
  const list = listOf(argumentNames(given));
  if (type !== undefined) {
    return failure('PGRST202', {
      message: `Could not find the function ${own} in the schema cache`,
      extra: { details: `No function ${own} has a parameter of type ${type} without a name.`, hint: null },
    });
  }
  const called = list === '()' ? `${own} without parameters` : `${own}${list}`;
  const body =
    given.kind === 'json' && contentType.kind === 'json'
      ? ', nor has any a parameter of type json or jsonb without a name'
      : '';
  return failure('PGRST202', {
    message: `Could not find the function ${called} in the schema cache`,
    extra: {
      details: `No function ${own} can be called ${list === '()' ? 'without arguments' : `with ${list}`}${body}.`,
      hint: missingHint(cache, { schema, name }, list, overloads),
    },
  });
}

/** Another name; where the name is right, other arguments. These are no secret to who knows the function. */
function missingHint(
  { functions }: Functions,
  { schema, name }: QualifiedName,
  list: string,
  overloads: readonly SqlFunction[],
): string | null {
  const near =
    overloads.length === 0
      ? nearestName(name, namesWithin(functions, schema), CLOSE_SIMILARITY)
      : nearestName(
          list,
          overloads.flatMap(nameable).map(({ parameters }) => listOf(parameters.map(nameOf))),
        );
  if (near === undefined) return null;
  return `Perhaps you meant to call the function ${schema}.${overloads.length === 0 ? near : `${name}${near}`}`;
}

function nameable(overload: SqlFunction): SqlFunction[] {
  return overload.parameters.some(({ name }) => name === '') ? [] : [overload];
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function namesWithin(functions: SchemaCache['functions'], schema: string): string[] {
  return [...functions.values()].flatMap(([first]) => (first?.schema === schema ? [first.name] : []));
}

/** In one order, so that the same names are the same text. */
function listOf(names: readonly string[]): string {
  return `(${names.toSorted().join(', ')})`;
}

function ambiguous(candidates: readonly SqlFunction[]) {
  const signatures = candidates.map(({ schema, name, parameters }) => {
    return `${schema}.${name}(${parameters.map((each) => `${each.name} => ${each.type}`).join(', ')})`;
  });
  return failure('PGRST203', {
    message: `Could not choose the best candidate function between: ${signatures.join(', ')}`,
    extra: {
      details: null,
      hint: 'Overloads must differ in the names of their parameters: rename these or one of the functions.',
    },
  });
}
