/**
 * Carries messages between nodes. A single process uses the local bus below; ../nodes/bus.ts connects several nodes
 * behind the same interface. Database changes and rows of realtime.messages do not pass through a bus, because each
 * node reads the write-ahead log.
 */
import type { UserBroadcast } from '../frames/frame.ts';
import type { PresenceDiff } from '../presence/presence.ts';
import type { Topic } from './topic.ts';

/** The content of a broadcast: separated into event and payload, or a JSON payload that is forwarded unchanged. */
export type Broadcast = UserBroadcast | { kind: 'text'; payload: string | Buffer };

/** A broadcast to the members of a topic. */
export interface BroadcastMessage {
  kind: 'broadcast';
  topic: Topic;
  broadcast: Broadcast;
  /** Id of the sending channel if it must not receive its own broadcast. */
  except?: string | undefined;
}

/** Presences that joined or left a topic. */
export interface PresenceMessage extends PresenceDiff {
  kind: 'presence';
  topic: Topic;
}

/** A message between nodes. Everything except the bytes of payloads can be written as JSON. */
export type BusMessage = BroadcastMessage | PresenceMessage;

/** Delivers messages to all nodes, this one included. Messages of one sender keep their order. */
export interface Bus {
  /**
   * Notifies the listeners on this node synchronously. Returns a promise for a broadcast that other nodes must receive:
   * it resolves when the message is stored for them and rejects with an error of the catalogue. A rejection that the
   * caller ignores is not reported as unhandled.
   */
  publish(message: BusMessage): void | Promise<void>;
  /** Calls the listener at once with the presences of other nodes. Returns the function that removes the listener. */
  subscribe(listener: (message: BusMessage) => void): () => void;
}

/** Creates the bus of a single process, which delivers synchronously. */
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
