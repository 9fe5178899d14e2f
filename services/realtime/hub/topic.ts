/** Topics. A public and a private channel with the same name are two separate topics that share no messages. */

/** The prefix of topic names in frames. */
export const TOPIC_PREFIX = 'realtime:';

/** A public or private topic. */
export interface Topic {
  /** Without the prefix. */
  name: string;
  isPrivate: boolean;
}

/** Returns a string that is unique per topic, for use as a map key. */
export function topicKey({ name, isPrivate }: Topic): string {
  return (isPrivate ? 'private:' : 'public:') + name;
}
