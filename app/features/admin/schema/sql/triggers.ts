/** Triggers: form → SQL. */
import { quoteIdentifier } from '../../shared/sql-identifier.ts';
import { missingOf, type Planner, plan, planWithout } from './plan.ts';
import { nameOf, tableOf } from './tables.ts';
import { chosenOf, textOf } from './values.ts';

/** When a trigger runs. */
export const TRIGGER_TIMINGS = ['before', 'after'] as const;
/** The statements after which a trigger runs. */
export const TRIGGER_EVENTS = ['insert', 'update', 'delete', 'truncate'] as const;

/** A new trigger. */
export const createTrigger: Planner = (values, context) => {
  const table = tableOf(context);
  const name = textOf(values, 'name');
  const chosen = chosenOf(values, 'events');
  const events = TRIGGER_EVENTS.filter((event) => chosen.includes(event));
  // As it is written in SQL, from the list of the database.
  const routine =
    context.objects.trigger_functions.find((known) => known === textOf(values, 'routine')) ?? '';
  const missing = missingOf({ name, events, routine });
  if (missing.length > 0) return planWithout(`create trigger on ${table.name}`, missing);
  const timing = TRIGGER_TIMINGS.find((known) => known === textOf(values, 'timing')) ?? 'before';
  const when = textOf(values, 'when');
  const level = textOf(values, 'level') === 'statement' ? 'statement' : 'row';
  const clauses = [
    `create trigger ${quoteIdentifier(name)}`,
    `  ${timing} ${events.join(' or ')} on ${nameOf(table)}`,
    `  for each ${level}`,
    ...(when === '' ? [] : [`  when (${when})`]),
    `  execute function ${routine}();`,
  ];
  return plan(
    `create trigger ${name} on ${table.name}`,
    [clauses.join('\n')],
    [`drop trigger ${quoteIdentifier(name)} on ${nameOf(table)};`],
  );
};

/** Enables or disables a trigger. */
export const toggleTrigger: Planner = (_, context) => {
  const table = tableOf(context);
  const isEnabled = table.triggers.find(({ name }) => name === context.object)?.is_enabled ?? false;
  const set = (verb: string) =>
    `alter table ${nameOf(table)} ${verb} trigger ${quoteIdentifier(context.object)};`;
  const [verb, undo] = isEnabled ? ['disable', 'enable'] : ['enable', 'disable'];
  return plan(
    `${verb} trigger ${context.object} on ${table.name}`,
    [set(verb as string)],
    [set(undo as string)],
  );
};

/** A trigger. */
export const dropTrigger: Planner = (_, context) => {
  const table = tableOf(context);
  const trigger = table.triggers.find(({ name }) => name === context.object);
  return plan(
    `drop trigger ${context.object} on ${table.name}`,
    [`drop trigger ${quoteIdentifier(context.object)} on ${nameOf(table)};`],
    trigger ? [`${trigger.definition};`] : null,
  );
};
