/** mime 3 ships no types. */
declare module 'mime' {
  const mime: {
    /** Returns the media type of a file by the ending of its name; null if the ending is unknown. */
    getType(path: string): string | null;
  };
  export default mime;
}
