/** Changes a person's picture from the browser; loaded when somebody does. */

import type { PageConfig } from '../../lib/page/page-config.ts';
import { browserClient } from '../../session/browser-client.ts';
import { removePicture, savePicture } from './picture-calls.ts';

/** Without a picture, the one that there is goes. Tells whether it worked. */
export function changePicture(
  config: PageConfig,
  ownerId: string,
  picture: Blob | undefined,
): Promise<boolean> {
  const client = browserClient(config);
  return picture ? savePicture(client, ownerId, picture) : removePicture(client, ownerId);
}
