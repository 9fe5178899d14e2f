/** The instance's handle of the backup agent. */
import { type ChildProcess, fork } from 'node:child_process';
import { programFile } from '@greenroom/builds/program-file';
import type { Logger } from '@greenroom/log';
import { StateMachine } from '@greenroom/state-machine';
import type { PendingContent } from '../content-copies.ts';
import {
  INITIAL_PROCESS,
  type ProcessEffect,
  type ProcessEvent,
  type ProcessState,
  processTransition,
} from './process-state.ts';
import {
  type AgentOptions,
  type AgentStatus,
  type FromAgent,
  INITIAL_STATUS,
  type ToAgent,
} from './protocol.ts';

const PROGRAM = programFile(new URL('./agent-process.ts', import.meta.url));
/** Longest wait for the rest of the log and of the content. */
const CLOSE_MS = 15_000;
const KEPT_ERROR_LENGTH = 4096;
/** A process that lives this long has worked. */
const WORKED_MS = 600_000;

/** Options of {@link BackupAgent}. */
interface BackupAgentOptions {
  agent: AgentOptions;
  pending: PendingContent;
  log: Logger;
}

/** Runs the agent from `start` to `close`. */
export class BackupAgent {
  readonly #options: BackupAgentOptions;
  readonly #machine: StateMachine<ProcessState, ProcessEvent, ProcessEffect>;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #status = INITIAL_STATUS;

  constructor(options: BackupAgentOptions) {
    this.#options = options;
    this.#machine = new StateMachine({
      initial: INITIAL_PROCESS,
      transition: processTransition,
      run: (effect) => this.#run(effect),
    });
  }

  /** The last known state; that of the start while no process runs. */
  get status(): AgentStatus {
    return this.#status;
  }

  start(): void {
    this.#machine.send('start');
  }

  /** Resolves when the rest is stored, or after a limited time. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#machine.send('close');
    const timeout = setTimeout(() => this.#child?.kill('SIGKILL'), CLOSE_MS);
    await this.#machine.waitFor(({ kind }) => kind === 'closed');
    clearTimeout(timeout);
  }

  #run(effect: ProcessEffect): void {
    if (effect.type === 'pause')
      this.#timer = setTimeout(() => this.#machine.send('elapsed'), effect.ms).unref();
    else if (effect.type === 'spawn') this.#spawn();
    else this.#send({ type: 'close' });
  }

  #spawn(): void {
    const { agent, log } = this.#options;
    const child = fork(PROGRAM, {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-KEPT_ERROR_LENGTH);
    });
    child.on('message', (message: FromAgent) => this.#receive(message));
    const worked = setTimeout(() => this.#machine.send('worked'), WORKED_MS).unref();
    let hasEnded = false;
    const onEnd = (reason: unknown) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(worked);
      this.#status = INITIAL_STATUS;
      if (this.#machine.state.kind === 'running')
        log.error({ reason, errors }, 'the backup agent has ended; it is started again');
      this.#machine.send('exited');
    };
    child.on('error', (error) => onEnd(error.message));
    child.on('close', (code, signal) => onEnd(signal ?? code));
    this.#send({ type: 'start', options: agent });
  }

  #send(message: ToAgent): void {
    // If sending fails, the process has ended, and `close` or `error` is emitted.
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }

  #receive(message: FromAgent): void {
    const { pending, log } = this.#options;
    switch (message.type) {
      case 'take':
        this.#send({ type: 'taken', taken: pending.take() });
        break;
      case 'settled':
        pending.settled(message.versions);
        break;
      case 'caught-up':
        pending.caughtUp(message.epoch);
        break;
      case 'status':
        this.#status = message.status;
        break;
      case 'log':
        log[message.level](message.details, message.text);
    }
  }
}
