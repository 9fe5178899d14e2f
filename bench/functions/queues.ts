/** Measures queues: by the data API, by the functions of `pgmq`, and by statements on the table alone. */
import { join } from 'node:path';
import { type Figure, rateText } from '../measure/figure.ts';
import { measureAlternately, startLoad } from '../measure/load-process.ts';
import { QUEUE } from './project.ts';
import { QUEUE_TASKS } from './queue-tasks.ts';

const ROUNDS = { rounds: 4, ms: 1000 };
const CONCURRENCY = 16;
/** The default pool size of the data API. */
const CONNECTIONS = 10;

/** A running instance. */
interface QueueOptions {
  url: string;
  keys: Readonly<Record<string, string>>;
}

/** Sends messages, then sends, reads and deletes messages. */
export async function benchQueues({ url, keys }: QueueOptions): Promise<Figure[]> {
  const headers = { apikey: keys.SECRET_KEY, 'content-profile': 'pgmq_public' };
  const figures: Figure[] = [];
  for (const task of Object.keys(QUEUE_TASKS)) {
    const input = { task, queue: QUEUE, concurrency: CONCURRENCY };
    const sql = { ...input, databaseUrl: keys.DB_URL, connections: CONNECTIONS };
    const [alone, direct, api] = await measureAlternately(
      [
        start('load/queue-sql.ts', { ...sql, by: 'table' }),
        start('load/queue-sql.ts', { ...sql, by: 'pgmq' }),
        start('load/queue-api.ts', { ...input, url, headers }),
      ],
      ROUNDS,
    );
    if (alone === undefined || direct === undefined || api === undefined)
      throw new Error('a load has no result');
    const of = 'the statements alone';
    figures.push(
      { name: `queue, ${task}: ${of}`, value: rateText(alone) },
      {
        name: `queue, ${task}: pgmq`,
        value: rateText(direct),
        ratio: { of, share: direct.perSecond / alone.perSecond },
      },
      {
        name: `queue, ${task}: data API`,
        value: rateText(api),
        ratio: { of, share: api.perSecond / alone.perSecond },
      },
    );
  }
  return figures;
}

function start(script: string, input: object) {
  return startLoad(join(import.meta.dirname, '..', script), input);
}
