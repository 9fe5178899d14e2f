/** Plans the arguments of a call and the slots of their values. */
import type { RawValue } from '@greenroom/postgres';
import { type Arguments, type ArgumentValue, argumentNames, argumentValues } from '../request/arguments.ts';
import { type MediaType, mediaTypeName } from '../request/media-type.ts';
import type { FunctionParameter, QualifiedName, SqlFunction } from '../schema-cache/schema-cache.ts';
import type { ChosenFunction } from './find-function.ts';
import type { ReadTarget } from './read-plan.ts';
import { arrayLiteral, bodySlot, type Slots } from './slots.ts';

/** A planned call. All calls of the same name with the same {@link callKey} and query shape share it. */
export interface CallPlan {
  function: SqlFunction;
  input: CallInput;
}

/** The source of the arguments. PostgreSQL fills in the defaults of omitted arguments. */
export type CallInput =
  | { kind: 'none' }
  /** One text for each argument; an array for a variadic parameter. */
  | { kind: 'texts'; arguments: readonly TextArgument[] }
  /** Members of the JSON object in the body. If `isList`, the body is a list and its first object is used. */
  | { kind: 'json'; parameters: readonly FunctionParameter[]; slot: number; isList: boolean }
  /** The whole body as the only argument. */
  | { kind: 'body'; parameter: FunctionParameter; slot: number };

/** A parameter and the slot of its value. */
interface TextArgument {
  parameter: FunctionParameter;
  slot: number;
}

/** Name of the common table expression with the rows that a function returns. */
export const CALLED = 'called';

/**
 * Returns the read target for the result of a call: rows of the returned type. The target does not contain the name of the
 * function, so a table of the same name is not mistaken for its result.
 */
export function readTarget({ result }: Pick<SqlFunction, 'result'>): ReadTarget {
  return { relation: result.shape.type, cte: CALLED };
}

/** Returns the target for media type handlers: the returned relation, or the function if it returns a scalar. */
export function handlerTarget({ schema, name, result: { shape } }: SqlFunction): QualifiedName {
  return shape.kind === 'composite' ? shape.type : { schema, name };
}

/** Plans a call. `args` must be the arguments that {@link ChosenFunction} was selected by. */
export function planCall(
  { function: called, wholeBody }: ChosenFunction,
  args: Arguments,
  slots: Slots,
): CallPlan {
  const body = bodySlot(slots);
  if (wholeBody !== undefined) {
    return { function: called, input: { kind: 'body', parameter: wholeBody, slot: body } };
  }
  const names = new Set(argumentNames(args));
  const parameters = called.parameters.filter(({ name }) => names.has(name));
  if (parameters.length === 0) return { function: called, input: { kind: 'none' } };
  if (args.kind === 'json') {
    return {
      function: called,
      input: { kind: 'json', parameters, slot: body, isList: args.body.isArray },
    };
  }
  const texts = parameters.map((parameter, index) => ({ parameter, slot: body + 1 + index }));
  return { function: called, input: { kind: 'texts', arguments: texts } };
}

/**
 * Returns the values of a call, starting with the slot of the body: the body, then a text for each argument outside of it.
 * These slots follow those of the query, the limit and the offset.
 */
export function callValues({ function: called, input }: CallPlan, args: Arguments): RawValue[] {
  switch (args.kind) {
    case 'json':
      return [args.body.json];
    case 'raw':
      // All other media types are sent in text format.
      return [args.mediaType.kind === 'octet-stream' ? { binary: args.bytes } : args.bytes];
    case 'texts': {
      if (input.kind !== 'texts') return [null];
      const values = argumentValues(called, args.pairs);
      return [null, ...input.arguments.map(({ parameter }) => textOf(values.get(parameter.name)))];
    }
  }
}

function textOf(value: ArgumentValue | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : arrayLiteral(value);
}

/** Returns a cache key of the arguments without their values. The selected function and its plan depend on nothing else. */
export function callKey(args: Arguments, contentType: MediaType): string {
  switch (args.kind) {
    case 'texts':
      return JSON.stringify(['texts', ...argumentNames(args)]);
    case 'json':
      return JSON.stringify([mediaTypeName(contentType), args.body.isArray, ...argumentNames(args)]);
    case 'raw':
      return JSON.stringify([mediaTypeName(args.mediaType)]);
  }
}
