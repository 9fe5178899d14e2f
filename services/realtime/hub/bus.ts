/**
 * What goes from node to node. One process has nobody else to tell; several are joined by {@link ../nodes/bus.ts}, and
 * nothing but this interface has to know of it. Changes of the database and rows of realtime.messages need none: each
 * node reads the write-ahead log by itself.
 */
import type { UserBroadcast } from '../frames/frame.ts';
import type { PresenceDiff } from '../presence/presence.ts';
import type { Topic } from './topic.ts';

/** A broadcast: told apart by its frame, or a JSON payload that is passed on as it is. */
export type Broadcast = UserBroadcast | { kind: 'text'; payload: string | Buffer };

/** What members of a topic are told. */
export interface BroadcastMessage {
  kind: 'broadcast';
  topic: Topic;
  broadcast: Broadcast;
  /** Id of the channel that must not hear itself. */
  except?: string | undefined;
}

/** Somebody came or left. */
export interface PresenceMessage extends PresenceDiff {
  kind: 'presence';
  topic: Topic;
}

/** All of it can be written as JSON, but for bytes. */
export type BusMessage = BroadcastMessage | PresenceMessage;

/** Carries messages to all nodes, this one included, in the order of each sender. */
export interface Bus {
  /**
   * Members on this node are told at once. A promise, of broadcasts that other nodes have to be told of, resolves once
   * that is sure, and rejects with an error of the catalogue; nobody has to wait for it.
   */
  publish(message: BusMessage): void | Promise<void>;
  /** The listener is told who is present elsewhere already. Gives back what ends it. */
  subscribe(listener: (message: BusMessage) => void): () => void;
}

/** The bus of a single process: what is published has arrived. */
export function createLocalBus(): Bus {
  const listeners = new Set<(message: BusMessage) => void>();
  return {
    publish: (message) => {
      for (const listener of listeners) listener(message);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
