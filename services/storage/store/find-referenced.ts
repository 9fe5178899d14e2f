/** Returns those versions that a row of an object, a multipart upload or a resumable upload names. */
export type FindReferenced = (versions: readonly string[]) => Promise<ReadonlySet<string>>;
