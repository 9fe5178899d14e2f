/** Sends requests of one scenario; each loop has its own connection. */
import { SCENARIOS } from '../data-api/scenarios.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { openConnection, requestWriter } from '../measure/raw-http.ts';

export interface RestInput {
  /** With the prefix of the service. */
  url: string;
  headers: Record<string, string>;
  scenario: string;
  concurrency: number;
}

const { url, headers, scenario: name, concurrency } = loadInput<RestInput>();
const scenario = SCENARIOS.find((each) => each.name === name);
if (scenario === undefined) throw new Error(`unknown scenario: ${name}`);
const { pathname } = new URL(url);
const connections = Array.from({ length: concurrency }, () => openConnection(url));
const requestOf = requestWriter(scenario.method, headers);
let requestNumber = process.pid;

serveLoad(concurrency, async (loop) => {
  requestNumber += 1;
  await connections[loop]?.send(
    requestOf(pathname + scenario.target(requestNumber), scenario.body?.(requestNumber)),
  );
});
