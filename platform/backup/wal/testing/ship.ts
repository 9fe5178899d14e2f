/** Ships the log of a server until the process is killed: `node ship.ts <archive folder> <url> <slot>`. */
import { openDatabase } from '@greenroom/postgres';
import { createTestArchive } from '../../archive/testing/archives.ts';
import { openFolderStore } from '../../store/folder.ts';
import { readLogMark } from '../log-mark.ts';
import { LogShipper } from '../shipper.ts';

const [folder = '', url = '', slot = ''] = process.argv.slice(2);
const database = openDatabase({ url, max: 1, applicationName: 'test' });
new LogShipper({
  archive: await createTestArchive(openFolderStore(folder), { passphrase: 'test' }),
  url,
  slot,
  lagMs: 1,
  readMark: () => readLogMark(database),
  onReport: ({ type }) => process.stdout.write(`${type}\n`),
});
