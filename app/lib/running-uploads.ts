/** Counts the running uploads of this tab, for modules that do not load the code of the upload queue. */

let owners: readonly string[] = [];

/** Sets the owners of the running uploads, one entry per upload. Only the queue calls it. */
export function setRunningUploads(ownerIds: readonly string[]): void {
  owners = ownerIds;
}

/** Returns how many uploads belong to a user. */
export function countRunningUploads(ownerId: string): number {
  return owners.filter((owner) => owner === ownerId).length;
}
