/** An extension whose files are generated instead of stored. */
export interface GeneratedExtension {
  version: string;
  /** Further versions that have the same objects. */
  updates?: readonly string[];
  /** Content of the control file. */
  control: string;
  /** Content of the script that creates the version. */
  script: string;
}
