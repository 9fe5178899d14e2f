/**
 * A connection that can be read without pg's parser, which turns every field into a string. As long as a raw batch runs,
 * the answers to it go to the batch; everything else goes to pg, byte for byte as it came.
 */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { MESSAGE } from './decode.ts';
import { FlushWriter } from './encode.ts';
import { PreparedStatements, WORN_OUT_CHARACTERS } from './prepared.ts';
import { MessageSplitter, type TakeMessage, type TakePiece } from './split.ts';

/** Who takes the answers to a raw batch. */
export interface RawReceiver {
  /** Takes an answer. Tells whether that was the last one, which pg must see, too. */
  receive(...message: Parameters<TakeMessage>): boolean;
  /** Says who takes a large message of a type in pieces, which is then not received. */
  takeLarge(type: number): TakePiece | undefined;
}

/** The part of pg's connection that is used here. It is undocumented, but what pg's own cursors build on. */
interface Connection extends EventEmitter {
  stream: Socket;
  attachListeners(stream: EventEmitter): void;
}

interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/** These may come at any time and are no answers. */
const UNSOLICITED: readonly number[] = [MESSAGE.parameterStatus, MESSAGE.notice, MESSAGE.notification];

/** A client of pg on which raw batches can run. */
export class RawClient extends pg.Client {
  readonly prepared = new PreparedStatements();
  /** One flush is written when the last one has been answered. */
  readonly writer = new FlushWriter();
  /** Whether statements are prepared at all. A pooler may give each transaction another session, which knows none of them. */
  preparesStatements = true;
  /** How many characters the statements had in all that were too long to be prepared. */
  giantCharacters = 0;
  /** As long as a batch runs. */
  receiver: RawReceiver | undefined;
  /** What the server has reported of its settings when the connection was made. */
  readonly #initialSettings = new Map<string, string>();
  /** Those that it has reported otherwise since, and not taken back. */
  readonly #changedSettings = new Set<string>();

  constructor(config?: pg.ClientConfig) {
    super(config);
    const connection = this.#connection;
    const attachParser = connection.attachListeners.bind(connection);
    // Called with the stream that carries the messages: the socket, or what TLS makes of it.
    const attachListeners = (stream: EventEmitter) => {
      const forPg = new EventEmitter();
      attachParser(forPg);
      const splitter = new MessageSplitter(
        (bytes, start, end) => this.#dispatch(forPg, bytes, start, end),
        (type) => this.receiver?.takeLarge(type),
      );
      stream.on('data', (piece: Buffer) => splitter.push(piece));
    };
    connection.attachListeners = attachListeners;
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) =>
      this.#noteSetting(parameterName, parameterValue),
    );
  }

  /**
   * Whether settings of the session are not as they were at first, of those that the server reports by itself
   * (PostgreSQL's documentation, "Asynchronous Operations"). Settings of a transaction never count: the server reports
   * what holds after its end.
   */
  get hasChangedSettings(): boolean {
    return this.#changedSettings.size > 0;
  }

  /** Whether planning has left so much memory in the process of the connection that another one should take its place. */
  get isWornOut(): boolean {
    return this.giantCharacters >= WORN_OUT_CHARACTERS;
  }

  /** Writes a whole flush at once. */
  write(flush: Buffer): void {
    if (this.#connection.stream.writable) this.#connection.stream.write(flush);
  }

  /** Stops reading: the server waits as soon as the buffers between are full. */
  pause(): void {
    this.#connection.stream.pause();
  }

  /** Reads again. */
  resume(): void {
    this.#connection.stream.resume();
  }

  get #connection(): Connection {
    return (this as unknown as { connection: Connection }).connection;
  }

  #noteSetting(name: string, value: string): void {
    // Before the first ReadyForQuery there is no status.
    if (this.getTransactionStatus() === null) this.#initialSettings.set(name, value);
    else if (this.#initialSettings.get(name) === value) this.#changedSettings.delete(name);
    else this.#changedSettings.add(name);
  }

  #dispatch(forPg: EventEmitter, bytes: Buffer, start: number, end: number): void {
    const { receiver } = this;
    const isAnswer = receiver !== undefined && !UNSOLICITED.includes(bytes[start] ?? 0);
    if (isAnswer && !receiver.receive(bytes, start, end)) return;
    if (isAnswer) this.receiver = undefined;
    forPg.emit('data', bytes.subarray(start, end));
  }
}
