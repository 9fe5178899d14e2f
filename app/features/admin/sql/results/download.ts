/** Saves a text as a file. */

/** Offers the text as a download. */
export function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may read the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
