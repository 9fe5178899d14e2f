/** Full backups of an instance, one after the other, which can be paused while others measure. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs backups until it is stopped. */
export class RepeatedBackups {
  readonly #ended: Promise<void>;
  readonly #start: (number: number) => ChildProcess;
  #child: ChildProcess | undefined;
  #isPaused = false;
  #isStopped = false;

  /** @param start starts a backup; each has another number */
  constructor(start: (number: number) => ChildProcess) {
    this.#start = start;
    this.#ended = this.#repeat();
    // An error is thrown by `stop`.
    this.#ended.catch(() => undefined);
  }

  async #repeat(): Promise<void> {
    for (let number = 0; !this.#isStopped; number++) {
      this.#child = this.#start(number);
      if (this.#isPaused) this.pause();
      const [code] = await once(this.#child, 'exit');
      if (code !== 0 && !this.#isStopped) throw new Error(`backup ${number} exited with code ${code}`);
    }
  }

  /** Stops the process. The server's process that sends the database waits, because nothing reads. */
  pause(): void {
    this.#isPaused = true;
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#isPaused = false;
    this.#child?.kill('SIGCONT');
  }

  /** Interrupts the backup. Rejects if one has failed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.resume();
    this.#child?.kill('SIGINT');
    await this.#ended;
  }
}

/** Starts a backup as a command whose output is discarded. */
export function spawnBackup(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [...args], { env, stdio: 'ignore' });
}
