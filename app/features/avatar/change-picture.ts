/** Changes the user's picture from the browser; loaded on demand. */

import type { PageConfig } from '../../lib/page/page-config.ts';
import { browserClient } from '../../session/browser-client.ts';
import { removePicture, savePicture } from './picture-calls.ts';

/** Saves the picture, or removes the current one if `picture` is undefined. Returns whether it succeeded. */
export function changePicture(
  config: PageConfig,
  ownerId: string,
  picture: Blob | undefined,
): Promise<boolean> {
  const client = browserClient(config);
  return picture ? savePicture(client, ownerId, picture) : removePicture(client, ownerId);
}
