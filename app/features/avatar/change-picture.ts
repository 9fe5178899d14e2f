/** Changes the user's picture from the browser; loaded on demand. */

import { withBase } from '../../lib/page/base-path.ts';
import type { PageConfig } from '../../lib/page/page-config.ts';
import { browserClient } from '../../session/browser-client.ts';
import { removePicture, savePicture } from './picture-calls.ts';
import { PICTURE_ROUTE, type PictureForm } from './picture-form.ts';

/**
 * Saves the picture, or removes the current one if `picture` is undefined. Returns whether it succeeded.
 * @param metadata the user's metadata, which has the URL of the current picture
 */
export function changePicture(
  config: PageConfig,
  metadata: Record<string, unknown>,
  picture: Blob | undefined,
): Promise<boolean> {
  const send = (form: PictureForm) => sendForm(withBase(PICTURE_ROUTE, config.baseURL), form);
  const owner = { client: browserClient(config), metadata, send };
  return picture ? savePicture(owner, picture) : removePicture(owner);
}

async function sendForm(path: string, form: PictureForm): Promise<unknown> {
  const response = await fetch(path, { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status}`);
  return response.status === 204 ? undefined : response.json();
}
