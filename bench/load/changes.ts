/** Inserts rows at a fixed rate, and measures for each subscriber the time from before the INSERT to the change. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadInput } from '../measure/load-process.ts';
import { openChannel } from '../realtime/phoenix-socket.ts';

interface ChangesInput {
  url: string;
  apiKey: string;
  databaseUrl: string;
  table: string;
  /** One token for each subscriber. */
  tokens: string[];
  perSecond: number;
}

/** Maximum time from the last INSERT to its last delivery. */
const DELIVERY_TIMEOUT_MS = 10_000;

const { url, apiKey, databaseUrl, table, tokens, perSecond } = loadInput<ChangesInput>();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
const written = new Map<number, number>();
let latencies: number[] = [];
for (const [i, token] of tokens.entries()) {
  const socket = await openChannel({ url, apiKey, topic: `changes-${i}`, token, table });
  // A second delivery of a row must not replace a missing one.
  const received = new Set<number>();
  socket.on('message', (data: Buffer) => {
    const id = Number(/"record":\{"id":(\d+)/.exec(data.toString('latin1'))?.[1]);
    const at = written.get(id);
    if (at === undefined || received.has(id)) return;
    received.add(id);
    latencies.push(performance.now() - at);
  });
}
let count = 0;

process.on('message', async (ms: number) => {
  latencies = [];
  // Late deliveries of the previous round do not count.
  written.clear();
  const start = performance.now();
  const first = count;
  // A fixed number of rows: the last one is due when the round ends.
  const last = first + Math.round((ms * perSecond) / 1000);
  while (count < last) {
    const due = first + Math.floor(((performance.now() - start) * perSecond) / 1000);
    for (; count < Math.min(due, last); count += 1) {
      written.set(count, performance.now());
      void pool.query({ name: 'insert', text: `insert into ${table} values ($1, $2)`, values: [count, 'x'] });
    }
    await sleep(1);
  }
  const end = performance.now() + DELIVERY_TIMEOUT_MS;
  while (latencies.length < (last - first) * tokens.length && performance.now() < end) await sleep(5);
  process.send?.({ latencies: Float64Array.from(latencies), ms: performance.now() - start });
});
