/** Addresses of the files in `app/public/`: icons, the share picture and the manifest. */

/** Address of such a file, below the base of the app. `baseURL` ends with a slash. */
export function publicFile({ baseURL }: { baseURL: string }, name: string): string {
  return baseURL + name;
}
