/** A program that stores values as the user who runs it: `node put-values.ts <folder>`. Prints the message of an error. */
import { openFolderStore } from '../folder.ts';

const [folder = ''] = process.argv.slice(2);
const store = openFolderStore(folder);
try {
  await store.put('archive.json', Buffer.from('{}'));
  await store.put('folder/value', Buffer.from('of the user'));
} catch (error) {
  process.stdout.write((error as Error).message);
}
