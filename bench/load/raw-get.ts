/** GET requests of one target; each loop has its own connection. */
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { openConnection, requestWriter } from '../measure/raw-http.ts';

const { url, target, headers, concurrency } = loadInput<{
  url: string;
  target: string;
  headers: Record<string, string>;
  concurrency: number;
}>();
const connections = Array.from({ length: concurrency }, () => openConnection(url));
const request = requestWriter('GET', headers)(target);

serveLoad(concurrency, async (loop) => connections[loop]?.send(request));
