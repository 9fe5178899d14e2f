import { defineLint } from '../lint.ts';

/** 0019: queues without row-level security while the API of queues is part of the data API. */
export const insecureQueueExposedInApi = defineLint<{ schema: string; name: string; type: string }>({
  name: 'insecure_queue_exposed_in_api',
  title: 'Insecure Queue Exposed in API',
  level: 'ERROR',
  category: 'SECURITY',
  description:
    'With the schema pgmq_public in the data API, clients can read and write the messages of a queue without row-level security.',
  remediation: 'Enable row-level security on the table of the queue, and create policies.',
  sql: `
    select r.schema, r.name, r.type
    from relation r
    where r.schema = 'pgmq' and r.name like 'q\\_%' and r.kind in ('r', 'p') and not r.has_rls and r.is_readable
      and 'pgmq_public' in (select e.schema from exposed e)
    order by r.name`,
  report: (row) => ({
    detail: `Row-level security is disabled on ${row.schema}.${row.name}, the table of a queue of the data API.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
