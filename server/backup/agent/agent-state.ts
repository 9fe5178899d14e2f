/** The state of an agent over all of its sessions, and the lines of the log that its changes write. */

import type { FromAgent, MaintenanceKind, WorkCounts } from './protocol.ts';
import type { SessionReport } from './session.ts';

/** Sends a line to the log of the instance. */
type AgentLog = (line: Omit<Extract<FromAgent, { type: 'log' }>, 'type'>) => void;

/** Counts work, and logs changes. */
export class AgentState {
  readonly #log: AgentLog;
  readonly #succeeded = { backup: 0, verification: 0, pruning: 0 };
  readonly #failed = { backup: 0, verification: 0, pruning: 0 };
  #gaps = 0;
  #running: MaintenanceKind | undefined;
  /** Message of the last failure to open the archive, which is logged once. */
  #failure: string | undefined;

  constructor(log: AgentLog) {
    this.#log = log;
  }

  get counts(): WorkCounts {
    return {
      running: this.#running,
      gaps: this.#gaps,
      succeeded: { ...this.#succeeded },
      failed: { ...this.#failed },
    };
  }

  /** The archive is open. */
  opened(): void {
    if (this.#failure !== undefined)
      this.#log({ level: 'info', details: {}, text: 'the instance is being backed up again' });
    this.#failure = undefined;
  }

  /** The archive cannot be opened, or the session has ended; the agent tries again. */
  interrupted(reason: Error): void {
    if (reason.message === this.#failure) return;
    this.#failure = reason.message;
    this.#log({
      level: 'error',
      details: { reason: reason.message },
      text: 'the instance is not being backed up',
    });
  }

  report(report: SessionReport): void {
    if (report.of === 'log') this.#reportLog(report);
    else if (report.of === 'content') this.#reportContent(report);
    else this.#reportMaintenance(report);
  }

  #reportLog(report: Extract<SessionReport, { of: 'log' }>): void {
    switch (report.type) {
      case 'gap':
        // A new archive begins with a gap before its first piece.
        if (report.start === undefined) break;
        this.#gaps += 1;
        this.#log({
          level: 'error',
          details: {},
          text: 'the server has removed log before it was backed up; the next complete backup continues',
        });
        break;
      case 'lost':
        this.#log({
          level: 'warn',
          details: { reason: report.reason.message },
          text: 'the backup lost its connection to the database',
        });
        break;
      case 'away':
        this.#log({
          level: 'error',
          details: { reason: report.reason.message },
          text: 'the archive of backups cannot be written; the log is kept until it can',
        });
        break;
      case 'reachable':
        this.#log({ level: 'info', details: {}, text: 'the archive of backups can be written again' });
        break;
      case 'streaming':
      case 'stopped':
        break;
    }
  }

  #reportContent(report: Extract<SessionReport, { of: 'content' }>): void {
    if (report.type === 'unreadable') {
      const { bucket, key } = report.row;
      this.#log({
        level: 'error',
        details: { bucket, key, reason: report.reason.message },
        text: 'the content of an object cannot be read, so it is not backed up',
      });
    } else if (report.type === 'away')
      this.#log({
        level: 'error',
        details: { reason: report.reason.message },
        text: 'objects cannot be backed up at present',
      });
    else this.#log({ level: 'info', details: {}, text: 'objects are backed up again' });
  }

  #reportMaintenance(report: Extract<SessionReport, { of: 'maintenance' }>): void {
    const { kind } = report;
    this.#running = report.type === 'started' ? kind : undefined;
    if (report.type === 'succeeded') {
      this.#succeeded[kind] += 1;
      this.#log({ level: 'info', details: {}, text: report.text });
    } else if (report.type === 'failed') {
      this.#failed[kind] += 1;
      this.#log({ level: 'error', details: { reason: report.reason.message }, text: FAILURES[kind] });
    }
  }
}

const FAILURES: Readonly<Record<MaintenanceKind, string>> = {
  backup: 'creating a backup failed; it is tried again',
  verification: 'a backup could not be verified',
  pruning: 'removing old backups failed; it is tried again after the next backup',
};
