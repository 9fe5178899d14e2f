/** Opens idle sockets with one channel each; the round ends when all are open. */
import { loadInput } from '../measure/load-process.ts';
import { openChannel } from '../realtime/phoenix-socket.ts';

interface IdleInput {
  url: string;
  apiKey: string;
  sockets: number;
}

const AT_ONCE = 50;
const { url, apiKey, sockets } = loadInput<IdleInput>();

process.on('message', async () => {
  const start = performance.now();
  const latencies: number[] = [];
  for (let opened = 0; opened < sockets; opened += AT_ONCE) {
    const one = async (i: number) => {
      const called = performance.now();
      await openChannel({ url, apiKey, topic: `idle-${i}` });
      latencies.push(performance.now() - called);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => one(opened + i)));
  }
  process.send?.({ latencies: Float64Array.from(latencies), ms: performance.now() - start });
});
