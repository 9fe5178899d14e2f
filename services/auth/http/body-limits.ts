/** Body limits in bytes, for endpoints that need more than the default. */

/** `user_metadata` has up to 32 KiB; JSON escapes can make it three times as long. */
export const METADATA_BYTES = 128 * 1024;
/** For bodies that also have `app_metadata`, which may be as large. */
export const ADMIN_METADATA_BYTES = 2 * METADATA_BYTES;
/** Templates of mails have at most 10 MB by a setting; the admin area accepts smaller ones. */
export const TEMPLATE_BYTES = 2 * 1024 * 1024;
/** SAML documents have stricter limits of their own. */
export const SAML_BYTES = 1024 * 1024;
