/** URLs of the files in `app/public/`: icons, the share image and the manifest. */

/** Returns the URL of such a file, below the base of the app. `baseURL` ends with a slash. */
export function publicFile({ baseURL }: { baseURL: string }, name: string): string {
  return baseURL + name;
}
