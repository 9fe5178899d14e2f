/**
 * A connection that can be read without pg's parser, which converts every field to a string. While a raw batch runs,
 * the batch receives the responses; pg receives everything else unchanged.
 */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { MESSAGE } from './decode.ts';
import { FlushWriter } from './encode.ts';
import { MAX_OVERSIZED_CHARACTERS, PreparedStatements } from './prepared.ts';
import { type ChunkReceiver, type MessageReceiver, MessageSplitter } from './split.ts';

/** Receives the responses to a raw batch. */
export interface RawReceiver {
  /** Receives a response. Returns whether it was the last one, which is also passed to pg. */
  receive(...message: Parameters<MessageReceiver>): boolean;
  /**
   * Returns the receiver of the chunks of a large message of this type; undefined if `receive` should get the whole
   * message.
   */
  largeMessageReceiver(type: number): ChunkReceiver | undefined;
}

/** The part of pg's connection that this module uses. It is undocumented, but pg's own cursors use it. */
interface Connection extends EventEmitter {
  stream: Socket;
  attachListeners(stream: EventEmitter): void;
}

interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/** Messages that may arrive at any time and are no responses. */
const UNSOLICITED: readonly number[] = [MESSAGE.parameterStatus, MESSAGE.notice, MESSAGE.notification];

/** A pg client that can run raw batches. */
export class RawClient extends pg.Client {
  readonly prepared = new PreparedStatements();
  /** All flushes share its memory, because one is written only after the server has responded to the previous one. */
  readonly writer = new FlushWriter();
  /**
   * Whether statements are prepared at all. A pooler may run each transaction in a different session, which has none of
   * them.
   */
  preparesStatements = true;
  /** Total number of characters of the statements that were too long to be prepared. */
  oversizedCharacters = 0;
  /** Set while a batch runs. */
  receiver: RawReceiver | undefined;
  /** The settings that the server reported when the connection was opened. */
  readonly #initialSettings = new Map<string, string>();
  /** Settings that differ from their initial values, according to the server's reports. */
  readonly #changedSettings = new Set<string>();

  constructor(config?: pg.ClientConfig) {
    super(config);
    const connection = this.#connection;
    const attachParser = connection.attachListeners.bind(connection);
    // Called with the stream that carries the messages: the socket, or the TLS stream on top of it.
    const attachListeners = (stream: EventEmitter) => {
      const forPg = new EventEmitter();
      attachParser(forPg);
      const splitter = new MessageSplitter(
        (bytes, start, end) => this.#dispatch(forPg, bytes, start, end),
        (type) => this.receiver?.largeMessageReceiver(type),
      );
      stream.on('data', (chunk: Buffer) => splitter.push(chunk));
    };
    connection.attachListeners = attachListeners;
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) =>
      this.#recordSetting(parameterName, parameterValue),
    );
  }

  /**
   * Whether settings of the session differ from their initial values, among the settings whose changes the server
   * reports (PostgreSQL's documentation, "Asynchronous Operations"). Settings of a transaction never count: the server
   * reports the values after its end.
   */
  get hasChangedSettings(): boolean {
    return this.#changedSettings.size > 0;
  }

  /**
   * Whether planning has left so much memory in the server process of this connection that another one should replace
   * it.
   */
  get hasExcessMemory(): boolean {
    return this.oversizedCharacters >= MAX_OVERSIZED_CHARACTERS;
  }

  /** Writes a whole flush at once. */
  write(flush: Buffer): void {
    if (this.#connection.stream.writable) this.#connection.stream.write(flush);
  }

  /** Stops reading: the server blocks as soon as the buffers in between are full. */
  pause(): void {
    this.#connection.stream.pause();
  }

  /** Resumes reading. */
  resume(): void {
    this.#connection.stream.resume();
  }

  get #connection(): Connection {
    return (this as unknown as { connection: Connection }).connection;
  }

  #recordSetting(name: string, value: string): void {
    // The status is null before the first ReadyForQuery.
    if (this.getTransactionStatus() === null) this.#initialSettings.set(name, value);
    else if (this.#initialSettings.get(name) === value) this.#changedSettings.delete(name);
    else this.#changedSettings.add(name);
  }

  #dispatch(forPg: EventEmitter, bytes: Buffer, start: number, end: number): void {
    const { receiver } = this;
    const isResponse = receiver !== undefined && !UNSOLICITED.includes(bytes[start] ?? 0);
    if (isResponse && !receiver.receive(bytes, start, end)) return;
    if (isResponse) this.receiver = undefined;
    forPg.emit('data', bytes.subarray(start, end));
  }
}
