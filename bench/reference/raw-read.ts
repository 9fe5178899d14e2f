/** The reference for reads of the data API: the same statement alone, prepared, through the driver. */
import pg from 'pg';
import { loadInput, serveLoad } from '../measure/load-process.ts';

/** What the loads are given: a statement with the key as its one parameter, and how many keys there are. */
export interface ReadInput {
  url: string;
  concurrency: number;
  connections: number;
  text: string;
  rows: number;
}

const { url, concurrency, connections, text, rows } = loadInput<ReadInput>();
const pool = new pg.Pool({ connectionString: url, max: connections });
let next = 0;

serveLoad(concurrency, async () => {
  next = (next + 7919) % rows;
  const result = await pool.query({ name: 'read', text, values: [next + 1] });
  if (!result.rows[0]?.body) throw new Error('no body');
});
