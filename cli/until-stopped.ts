/** Waiting for the end of a server. */

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves with the exit code after a signal has come and `close` is done. A second signal ends at once. */
export function untilStopped(close: () => Promise<void>): Promise<number> {
  return new Promise((resolve) => {
    let closing = false;
    const onSignal = () => {
      if (closing) process.exit(130);
      closing = true;
      process.stdout.write('stopping\n');
      close().then(
        () => resolve(0),
        (error: Error) => {
          process.stderr.write(`greenroom: ${error.message}\n`);
          resolve(1);
        },
      );
    };
    for (const signal of SIGNALS) {
      // The bundler of `greenroom dev` hooks in to exit at once, which would leave PostgreSQL behind.
      process.removeAllListeners(signal);
      process.on(signal, onSignal);
    }
  });
}
