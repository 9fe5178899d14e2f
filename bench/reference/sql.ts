/** The reference for the data API: the statement of a scenario alone, prepared, through the driver. */
import pg from 'pg';
import { SCENARIOS } from '../data-api/scenarios.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';

interface SqlInput {
  url: string;
  text: string;
  scenario: string;
  concurrency: number;
  connections: number;
}

const { url, text, scenario: name, concurrency, connections } = loadInput<SqlInput>();
const scenario = SCENARIOS.find((each) => each.name === name);
if (scenario === undefined) throw new Error(`unknown scenario: ${name}`);
const pool = new pg.Pool({ connectionString: url, max: connections });
let requestNumber = process.pid;

serveLoad(concurrency, async () => {
  requestNumber += 1;
  const { rowCount } = await pool.query({ name: 'main', text, values: scenario.values(requestNumber) });
  if (!rowCount) throw new Error('no rows');
});
