/** Returns a text for a pattern of `like`, in which it has no special characters. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
