/** Most bytes of bodies that may be longer than others. */

/** `user_metadata` has up to 32 KiB, three times as much where its characters are sent as escapes. */
export const METADATA_BYTES = 128 * 1024;
/** With `app_metadata`, of which there may be as much. */
export const ADMIN_METADATA_BYTES = 2 * METADATA_BYTES;
/** Documents of SAML have limits of their own. */
export const SAML_BYTES = 1024 * 1024;
