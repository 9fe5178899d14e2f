/** Reports of an instance to the program that has started it as a child process. */
import { EMBEDDED_VARIABLE, type InstanceDetails, type InstanceMessage } from './protocol.ts';

/** Whether a program has started this process by `startGreenroom` of the package. */
function isEmbedded(): boolean {
  return process.env[EMBEDDED_VARIABLE] !== undefined && process.send !== undefined;
}

/** Reports that the instance accepts requests. Does nothing in a process that no program has started. */
export function reportReady(instance: InstanceDetails): void {
  report({ type: 'ready', instance });
}

/** Reports why a start has failed. Does nothing in a process that no program has started. */
export function reportFailure(error: unknown, message: string): void {
  report({ type: 'failed', name: error instanceof Error ? error.name : 'Error', message });
}

function report(message: InstanceMessage): void {
  // With a callback, a failure to send is no error of this process.
  if (isEmbedded()) process.send?.(message, () => undefined);
}

/** Calls `onEnd` when the program that has started this process closes the instance, or ends, also if it is killed. */
export function watchParent(onEnd: () => void): void {
  if (!isEmbedded()) return;
  process.once('disconnect', onEnd);
  // The channel alone does not keep the process running.
  process.channel?.unref();
  if (!process.connected) onEnd();
}
