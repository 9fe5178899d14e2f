/** The functions by which clients of the data API use queues: the schema that the hosted service creates on request. */
import type { Session } from '@greenroom/postgres';

/** The schema of the functions. */
export const QUEUE_API_SCHEMA = 'pgmq_public';

interface QueueFunction {
  /** Name in both schemas. */
  name: string;
  parameters: string;
  returns: string;
  comment: string;
}

const FUNCTIONS: readonly QueueFunction[] = [
  {
    name: 'send',
    parameters: 'queue_name text, message jsonb, sleep_seconds integer default 0',
    returns: 'setof bigint',
    comment: 'Adds a message that is visible after some seconds. Returns its id.',
  },
  {
    name: 'send_batch',
    parameters: 'queue_name text, messages jsonb[], sleep_seconds integer default 0',
    returns: 'setof bigint',
    comment: 'Adds messages that are visible after some seconds. Returns their ids.',
  },
  {
    name: 'read',
    parameters: 'queue_name text, sleep_seconds integer, n integer',
    returns: 'setof pgmq.message_record',
    comment: 'Returns up to n visible messages, which are then invisible for some seconds.',
  },
  {
    name: 'pop',
    parameters: 'queue_name text',
    returns: 'setof pgmq.message_record',
    comment: 'Returns the first visible message and deletes it.',
  },
  {
    name: 'archive',
    parameters: 'queue_name text, message_id bigint',
    returns: 'boolean',
    comment: 'Moves a message to the archive. Returns whether the message existed.',
  },
  {
    name: 'delete',
    parameters: 'queue_name text, message_id bigint',
    returns: 'boolean',
    comment: 'Deletes a message. Returns whether it existed.',
  },
];

const ROLES = 'anon, authenticated, service_role';

/** Rights as on the hosted service. Without rights on the tables of a queue, anon and authenticated cannot use it. */
const RIGHTS = [
  `grant usage on schema ${QUEUE_API_SCHEMA}, pgmq to ${ROLES}`,
  `grant execute on all functions in schema ${QUEUE_API_SCHEMA} to ${ROLES}`,
  'grant all on all tables in schema pgmq to service_role',
  'alter default privileges in schema pgmq grant all on tables to service_role',
];

/** Options of {@link createQueueApi}. */
interface QueueApi {
  /** Whether `api.schemas` contains the schema. Default: false. */
  exposesQueues?: boolean | undefined;
  onFinding: (line: string) => void;
}

/**
 * Creates the schema and its functions if the API exposes it and no migration has created it. Only says so if the database has
 * no queues.
 */
export async function createQueueApi(
  session: Session,
  { exposesQueues = false, onFinding }: QueueApi,
): Promise<void> {
  if (!exposesQueues) return;
  const [[state] = []] = await session.batch([
    {
      text: `select pg_catalog.to_regnamespace('${QUEUE_API_SCHEMA}') is not null as "hasSchema",
        pg_catalog.to_regtype('pgmq.message_record') is not null as "hasQueues"`,
    },
  ]);
  if (state?.hasSchema) return;
  if (!state?.hasQueues) {
    onFinding(
      `warning: api.schemas contains ${QUEUE_API_SCHEMA}, but the database has no queues. Add a migration: create extension pgmq`,
    );
    return;
  }
  const statements = [`create schema ${QUEUE_API_SCHEMA}`, ...FUNCTIONS.flatMap(createFunction), ...RIGHTS];
  await session.batch(statements.map((text) => ({ text })));
}

function createFunction({ name, parameters, returns, comment }: QueueFunction): string[] {
  const types = parameters
    .replace(/ default \d+/, '')
    .split(', ')
    .map((parameter) => parameter.split(' ')[1]);
  const values = types.map((_, index) => `$${index + 1}`).join(', ');
  const identity = `${QUEUE_API_SCHEMA}.${name}(${types.join(', ')})`;
  const result = returns.startsWith('setof')
    ? `return query select * from pgmq.${name}(${values})`
    : `return pgmq.${name}(${values})`;
  return [
    `create function ${QUEUE_API_SCHEMA}.${name}(${parameters}) returns ${returns}
      language plpgsql set search_path = '' as $$ begin ${result}; end $$`,
    `comment on function ${identity} is '${comment}'`,
  ];
}
