/**
 * The program of the backup agent. It ends with the instance, and has the same priority: with a lower one, the lag would grow
 * while the machine is busy, which is when most is lost with the disk.
 */
import type { PendingList } from '@greenroom/backup';
import type { FromAgent, ToAgent } from './protocol.ts';
import { runAgent } from './run-agent.ts';

// A terminal sends SIGINT to the whole process group; the instance closes this process after its requests.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// Nothing is lost: the next agent continues where the archive ends.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

/** Answers to `take`, in their order. */
const waiting: ((taken: Awaited<ReturnType<PendingList['take']>>) => void)[] = [];
let agent: ReturnType<typeof runAgent> | undefined;

process.on('message', (message: ToAgent) => {
  if (message.type === 'start') agent = runAgent(message.options, pendingList(), send);
  else if (message.type === 'taken') waiting.shift()?.(message.taken);
  else void agent?.close().then(() => process.exit(0));
});

function send(message: FromAgent): void {
  // If sending fails, the instance has ended, and `disconnect` is emitted.
  process.send?.(message, () => undefined);
}

/** The list in the process of the instance. */
function pendingList(): PendingList {
  return {
    take: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        send({ type: 'take' });
      }),
    settled: (versions) => send({ type: 'settled', versions }),
    caughtUp: (epoch) => send({ type: 'caught-up', epoch }),
  };
}
