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

const { url, apiKey, databaseUrl, table, tokens, perSecond } = loadInput<ChangesInput>();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
const written = new Map<number, number>();
let latencies: number[] = [];
for (const [i, token] of tokens.entries()) {
  const socket = await openChannel({ url, apiKey, topic: `changes-${i}`, token, table });
  socket.on('message', (data: Buffer) => {
    const id = /"record":\{"id":(\d+)/.exec(data.toString('latin1'))?.[1];
    const at = written.get(Number(id));
    if (at !== undefined) latencies.push(performance.now() - at);
  });
}
let count = 0;

process.on('message', async (ms: number) => {
  latencies = [];
  const start = performance.now();
  const first = count;
  while (performance.now() < start + ms) {
    const due = first + Math.floor(((performance.now() - start) * perSecond) / 1000);
    for (; count < due; count += 1) {
      written.set(count, performance.now());
      void pool.query({ name: 'insert', text: `insert into ${table} values ($1, $2)`, values: [count, 'x'] });
    }
    await sleep(1);
  }
  const end = performance.now() + 2000;
  while (latencies.length < (count - first) * tokens.length && performance.now() < end) await sleep(5);
  process.send?.({ latencies: Float64Array.from(latencies), ms: performance.now() - start });
});
