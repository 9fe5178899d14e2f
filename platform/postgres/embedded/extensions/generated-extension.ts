/** An extension whose files are generated instead of stored. */
export interface GeneratedExtension {
  version: string;
  /** Content of the control file. */
  control: string;
  /** Content of the script that creates the version. */
  script: string;
}
