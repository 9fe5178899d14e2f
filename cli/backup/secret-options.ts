/** Options of commands that read or write an archive. */

export const PASSPHRASE_OPTION = {
  value: 'file',
  summary: 'File with the passphrase of the archive',
} as const;

export const IDENTITY_OPTION = {
  value: 'file',
  summary: 'File with the identity that belongs to the recipient of the archive',
} as const;

export const NO_ENCRYPTION_OPTION = {
  summary: 'The archive is not encrypted; otherwise, such an archive is refused',
} as const;

/** The argument of commands about an archive. */
export const WHERE_ARGUMENT = {
  name: 'where',
  summary: 'Folder, file that ends with .tar, or s3://bucket/prefix; default: GREENROOM_BACKUP_URL',
} as const;
