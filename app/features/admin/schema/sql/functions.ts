/** Functions: form → SQL. */
import { quoteQualified } from '../../shared/sql-identifier.ts';
import type { FunctionDefinition, StructureContext } from '../definition.ts';
import { quoteBody } from './literal.ts';
import { missingOf, type Planner, plan, planWithout } from './plan.ts';
import { cascadeOf } from './tables.ts';
import { type FormValues, isChecked, textOf } from './values.ts';

/** Languages of new functions. */
export const FUNCTION_LANGUAGES = ['plpgsql', 'sql'] as const;
/** Whether a function may write, and whether its results may be reused. */
export const FUNCTION_BEHAVIORS = ['volatile', 'stable', 'immutable'] as const;

/** A new function. */
export const createFunction: Planner = (values, { schema }) => {
  const name = textOf(values, 'name');
  const returns = textOf(values, 'returns');
  const body = bodyOf(values);
  const missing = missingOf({ name, returns, body: body.trim() });
  if (missing.length > 0) return planWithout('create function', missing);
  const language = FUNCTION_LANGUAGES.find((known) => known === textOf(values, 'language')) ?? 'plpgsql';
  const parameters = textOf(values, 'arguments');
  const routine = quoteQualified(schema, name);
  const clauses = [
    `create function ${routine}(${parameters})`,
    `  returns ${returns}`,
    `  language ${language}`,
    `  ${behaviorOf(values)}`,
    ...(isChecked(values, 'security_definer') ? ['  security definer'] : []),
    // Without it, a caller could replace functions that the body calls by its own.
    "  set search_path = ''",
    `  as ${quoteBody(body)};`,
  ];
  const isNameEnough = parameters === '';
  return plan(
    `create function ${name}`,
    [clauses.join('\n')],
    [`drop function ${routine}${isNameEnough ? '()' : ''};`],
  );
};

function bodyOf(values: FormValues): string {
  return values.body?.[0] ?? '';
}

function behaviorOf(values: FormValues): string {
  return FUNCTION_BEHAVIORS.find((known) => known === textOf(values, 'behavior')) ?? 'volatile';
}

/** Body and options of a function. The other parts of its definition stay as they are. */
export const alterFunction: Planner = (values, { routine }) => {
  if (routine === undefined) return planWithout('alter function', []);
  const body = bodyOf(values);
  const missing = missingOf({ body: body.trim() });
  if (missing.length > 0) return planWithout(`alter function ${routine.name}`, missing);
  const behavior = behaviorOf(values);
  const isDefiner = isChecked(values, 'security_definer');
  const options = [
    ...(behavior === routine.behavior ? [] : [behavior]),
    ...(isDefiner === routine.is_security_definer ? [] : [`security ${isDefiner ? 'definer' : 'invoker'}`]),
  ];
  return plan(
    `alter function ${routine.name}`,
    [
      body.trim() === routine.body.trim() ? undefined : withBody(routine, body),
      options.length > 0 ? `alter function ${signatureOf(routine)} ${options.join(' ')};` : undefined,
    ],
    [`${routine.statement.trimEnd()};`],
  );
};

/** PostgreSQL writes the body last, between dollars. */
const BODY = /\nAS (\$[^$]*\$)[\s\S]*\1\s*$/;

function withBody({ statement }: FunctionDefinition, body: string): string {
  return `${statement.replace(BODY, () => `\nAS ${quoteBody(body)}`)};`;
}

function signatureOf(routine: FunctionDefinition): string {
  return `${quoteQualified(routine.schema, routine.name)}(${routine.arguments})`;
}

/** A function; with `cascade`, also the objects that depend on it. */
export const dropFunction: Planner = (values, context: StructureContext) => {
  const { routine } = context;
  if (routine === undefined) return planWithout('drop function', []);
  const cascade = cascadeOf(values);
  return plan(
    `drop function ${routine.name}`,
    [`drop function ${signatureOf(routine)}${cascade};`],
    cascade === '' ? [`${routine.statement.trimEnd()};`] : null,
  );
};
