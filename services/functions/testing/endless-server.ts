/** A server in its own process, whose only function never rests. Prints the id of the function's process. */
import { FunctionsServer } from './functions-server.ts';

const server = await FunctionsServer.open({
  files: { 'loop/index.ts': 'Deno.serve(() => { console.log("begins"); for (;;); });' },
  settings: { GREENROOM_FUNCTIONS_CPU_MS: '3600000' },
});
server.call('loop').catch(() => undefined);
while (!server.logOf('loop').includes('begins')) await new Promise((resolve) => setTimeout(resolve, 20));
process.stdout.write(`${server.pidOf('loop')}\n`);
