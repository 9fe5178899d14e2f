/** The forms with which the browser changes a picture through the app's server. */

/** Path of the route, below the app's base. */
export const PICTURE_ROUTE = '/account/picture';

/**
 * `upload` requests a signed URL for a new picture of a type; `tidy` removes all pictures of the user but the one in the
 * user's metadata.
 */
export type PictureForm = { intent: 'upload'; type: PictureType } | { intent: 'tidy' };

/** The extension of the file. */
type PictureType = 'webp' | 'png';

/** The response to `upload`. */
export interface PictureUpload {
  /** Path in the bucket of pictures. */
  path: string;
  /** Token of the signed URL. */
  token: string;
}
