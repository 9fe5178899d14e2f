/** Follows the lag that a running instance reports in its metrics. */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 250;
const LAG = /^greenroom_backup_lag_seconds (\S+)$/m;

/** A running monitor. */
interface LagMonitor {
  /** The newest time until which log and content are stored, as far as it was reported; 0 before the first report. */
  until(): number;
  stop(): Promise<void>;
}

/** Starts to read the metrics. */
export function monitorLag(url: string): LagMonitor {
  let until = 0;
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      const readAt = Date.now();
      const text = await fetch(`${url}/metrics`)
        .then((response) => response.text())
        .catch(() => '');
      const lag = LAG.exec(text)?.[1];
      if (lag !== undefined) until = Math.max(until, readAt - 1000 * Number(lag));
      await sleep(POLL_MS);
    }
  };
  const running = run();
  return {
    until: () => until,
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
