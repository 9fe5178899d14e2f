/** Works out up to which time the archive has every acknowledged commit. Pure. */

/** The end of the flushed log at a time: every commit acknowledged before the time is before the position. */
export interface LogMark {
  time: Date;
  position: bigint;
}

/** Receives marks and stored positions in any order. */
export class CoveredTime {
  /** Marks that are not stored yet: the first one, so that it is reached at some time, and the newest one. */
  #waiting: LogMark[] = [];
  #reached: Date | undefined;

  /** The newest covered time; undefined before the first one. */
  get time(): Date | undefined {
    return this.#reached;
  }

  addMark(mark: LogMark): void {
    this.#waiting = [...this.#waiting.slice(0, 1), mark];
  }

  /** Records that the log is stored up to a position. */
  reach(position: bigint): void {
    const reached = this.#waiting.filter((mark) => mark.position <= position);
    this.#waiting = this.#waiting.filter((mark) => mark.position > position);
    this.#reached = reached.at(-1)?.time ?? this.#reached;
  }
}
