/** A task of queues by the data API. */
import { QUEUE_TASKS } from '../functions/queue-tasks.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { createClient } from './http.ts';

const { url, headers, task, queue, concurrency } = loadInput<{
  url: string;
  headers: Record<string, string>;
  task: string;
  queue: string;
  concurrency: number;
}>();
const send = createClient(url, concurrency);
const calls = QUEUE_TASKS[task] ?? [];

serveLoad(concurrency, async () => {
  let id: unknown;
  for (const { api, body } of calls) {
    const text = await send(
      `/rest/v1/rpc/${api}`,
      { ...headers, 'content-type': 'application/json' },
      body(queue, id),
    );
    const [first] = [JSON.parse(text)].flat() as unknown[];
    id = typeof first === 'object' && first !== null ? (first as { msg_id?: unknown }).msg_id : first;
  }
});
