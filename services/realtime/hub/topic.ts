/** Names of topics. Public and private channels of one name are two topics, and nothing goes from one to the other. */

/** What stands before the name in every frame. */
export const TOPIC_PREFIX = 'realtime:';

/** A topic, and which of the two of this name. */
export interface Topic {
  /** Without the prefix. */
  name: string;
  isPrivate: boolean;
}

/** One text for one topic. */
export function topicKey({ name, isPrivate }: Topic): string {
  return (isPrivate ? 'private:' : 'public:') + name;
}
