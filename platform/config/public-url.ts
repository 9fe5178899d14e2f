/** Whether an instance is meant for this machine alone. */
import { isLoopback } from '@greenroom/limits';

/** Whether a URL may be opened on other machines: its host is neither a loopback address nor a name of one. */
export function isPublicUrl(url: string): boolean {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return !isLoopback(hostname) && hostname !== 'localhost' && !hostname.endsWith('.localhost');
}
