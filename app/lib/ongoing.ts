/** How many uploads of this tab are under way, for those who do without the queue's code. */

let owners: readonly string[] = [];

/** Called by the queue: whose they are, one entry for each. */
export function setOngoing(ownerIds: readonly string[]): void {
  owners = ownerIds;
}

/** How many are a person's own. */
export function countOngoing(ownerId: string): number {
  return owners.filter((owner) => owner === ownerId).length;
}
