/** The arguments of a call, and the slots of their values. */
import type { RawValue } from '@greenroom/postgres';
import { type Arguments, type ArgumentValue, argumentNames, argumentValues } from '../request/arguments.ts';
import { type MediaType, mediaTypeName } from '../request/media-type.ts';
import type { FunctionParameter, QualifiedName, SqlFunction } from '../schema-cache/schema-cache.ts';
import type { ChosenFunction } from './find-function.ts';
import type { ReadTarget } from './read-plan.ts';
import { arrayLiteral, bodySlot, type Slots } from './slots.ts';

/** A call. It holds for all requests by the same name that have the same {@link callKey} and shape of query. */
export interface CallPlan {
  function: SqlFunction;
  input: CallInput;
}

/** The source of the arguments. PostgreSQL adds the defaults of the others. */
export type CallInput =
  | { kind: 'none' }
  /** A text for each; of a variadic parameter, an array. */
  | { kind: 'texts'; arguments: readonly TextArgument[] }
  /** Members of the JSON object in the body; where `isList`, of the first object of a list. */
  | { kind: 'json'; parameters: readonly FunctionParameter[]; slot: number; isList: boolean }
  /** The body itself. */
  | { kind: 'body'; parameter: FunctionParameter; slot: number };

/** A parameter and the slot of its value. */
interface TextArgument {
  parameter: FunctionParameter;
  slot: number;
}

/** The common table expression of the rows that a function returns. */
export const CALLED = 'called';

/**
 * The rows of a call: rows of the type that the function returns. The name of the function plays no role, so a table of that
 * name is not mistaken for its result.
 */
export function readTarget({ result }: Pick<SqlFunction, 'result'>): ReadTarget {
  return { relation: result.shape.type, cte: CALLED };
}

/** The target of handlers of media types: the relation, or the function itself where it returns a value. */
export function handlerTarget({ schema, name, result: { shape } }: SqlFunction): QualifiedName {
  return shape.kind === 'composite' ? shape.type : { schema, name };
}

/** Plans a call with the arguments by whose names the function was chosen. */
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
 * The values of a call, for the slots from that of the body on: the body, then a text for each argument that is not in
 * it. They follow the values of the query, and the limit and the offset.
 */
export function callValues({ function: called, input }: CallPlan, args: Arguments): RawValue[] {
  switch (args.kind) {
    case 'json':
      return [args.body.json];
    case 'raw':
      // Of all others the text is sent, as it would be of a body in a string.
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

/** The arguments without their values: the choice of a function and its plan depend on nothing else of them. */
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
