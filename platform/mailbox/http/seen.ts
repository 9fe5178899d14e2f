/** Which mails were read through the API, until the instance stops. */

/** Number of ids that are remembered; more than the mailbox keeps. */
const MAX_IDS = 4000;

/** Ids of mails that were read. */
export interface SeenMails {
  add(id: string): void;
  has(id: string): boolean;
  ids(): string[];
}

export function createSeenMails(): SeenMails {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    ids: () => [...ids],
    add(id) {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > MAX_IDS && oldest !== undefined) ids.delete(oldest);
    },
  };
}
