/** Addresses of the files in `app/public/`: icons, the share picture and the manifest. */

/** Address of such a file, below the base of the app. `baseURL` ends with a slash. */
export function publicFile({ baseURL }: { baseURL: string }, name: string): string {
  return baseURL + name;
}

/** The same for those who read it from elsewhere: with the origin, where it is known. */
export function absolutePublicFile(
  config: { baseURL: string },
  origin: string | undefined,
  name: string,
): string {
  const path = publicFile(config, name);
  return origin === undefined ? path : new URL(path, origin).href;
}
