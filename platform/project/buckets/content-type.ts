/** Media types of files that become objects. */

const UNKNOWN_TYPE = 'application/octet-stream';

/** Returns the media type by the ending of a file's name. */
export async function contentTypeOf(path: string): Promise<string> {
  // Loaded only for the first file.
  const { default: mime } = await import('mime');
  return mime.getType(path) ?? UNKNOWN_TYPE;
}
