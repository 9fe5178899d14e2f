/**
 * The program of a process that creates or verifies one backup for the agent, with a lower priority. It ends when its
 * parent ends.
 */
import { collectRarely } from '../collect-rarely.ts';
import { lowerPriority } from '../priority.ts';
import type { MaintenanceOutcome, MaintenanceRequest } from './maintenance-task.ts';

const interrupted = new AbortController();
lowerPriority();
collectRarely();
// A terminal sends SIGINT to the whole process group; the parent ends this process.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => interrupted.abort(new Error('the instance stops')));
process.on('disconnect', () => interrupted.abort(new Error('the instance has ended')));
process.once('message', (request: MaintenanceRequest) => void perform(request));

async function perform(request: MaintenanceRequest): Promise<void> {
  const { performTask } = await import('./perform-task.ts');
  const outcome: MaintenanceOutcome = await performTask(request, interrupted.signal).then(
    (text) => ({ type: 'done', text }),
    (error: Error) => ({ type: 'failed', message: error.message }),
  );
  // Undefined if the parent has ended.
  if (process.send) process.send(outcome, () => process.disconnect());
}
