/** Returns the versions that a row names: of an object, of an upload in parts, or of a resumable upload. */
export type FindKnown = (versions: readonly string[]) => Promise<ReadonlySet<string>>;
