/** A task of queues over connections to the database: by the functions of `pgmq`, or on the table alone. */
import pg from 'pg';
import { QUEUE_TASKS } from '../functions/queue-tasks.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';

const { databaseUrl, task, queue, by, concurrency, connections } = loadInput<{
  databaseUrl: string;
  task: string;
  queue: string;
  by: 'pgmq' | 'table';
  concurrency: number;
  connections: number;
}>();
const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
const calls = QUEUE_TASKS[task] ?? [];

serveLoad(concurrency, async () => {
  let id: unknown;
  for (const { api, pgmq, pgmqValues, table, tableValues } of calls) {
    const statement =
      by === 'pgmq'
        ? { text: pgmq, values: pgmqValues(queue, id) }
        : { text: table(queue), values: tableValues(id) };
    const { rows } = await pool.query({ name: api, ...statement });
    id = rows[0]?.msg_id;
  }
});
