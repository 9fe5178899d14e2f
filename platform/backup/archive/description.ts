/** `archive.json`: the identity of an archive, and how its blobs are encrypted. Written once, when it is created. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isArchiveError } from '../errors.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { DESCRIPTION_NAME } from '../store/names.ts';
import { decodeChecked, encodeChecked } from './checked-json.ts';

const encryptionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('passphrase'), keyId: z.string().regex(/^[0-9a-f]{32}$/) }),
  z.object({ kind: z.literal('recipient'), recipient: z.string() }),
]);

const descriptionSchema = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  greenroomVersion: z.string(),
  encryption: encryptionSchema,
});

/** How blobs of an archive are encrypted. */
export type Encryption = z.infer<typeof encryptionSchema>;

/** The content of `archive.json`. */
export type ArchiveDescription = z.infer<typeof descriptionSchema>;

/** Reads the description without any key; undefined if the place has no archive. */
export async function readDescription(store: ArchiveStore): Promise<ArchiveDescription | undefined> {
  try {
    const bytes = await store.get(DESCRIPTION_NAME);
    return decodeChecked(`${DESCRIPTION_NAME} in ${store.location}`, bytes, descriptionSchema);
  } catch (error) {
    if (isArchiveError(error, 'missing')) return undefined;
    throw error;
  }
}

/** Returns the description of a new archive. */
export function newDescription(greenroomVersion: string, now: Date): Omit<ArchiveDescription, 'encryption'> {
  return { id: randomUUID(), createdAt: now.toISOString(), greenroomVersion };
}

/** Writes the description; returns false if another process has created an archive meanwhile. */
export function writeDescription(store: ArchiveStore, description: ArchiveDescription): Promise<boolean> {
  return store.putIfAbsent(DESCRIPTION_NAME, encodeChecked(description));
}
