/**
 * The reference for rendering: repeats React's renderToPipeableStream of the tree of /login, and discards the output.
 */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { prepareRenderAlone } from '@greenroom/app/render-alone';
import { aloneOptions } from './alone-options.ts';

const WARM_UP_MS = 2000;
const MEASURED_MS = 5000;

const options = await aloneOptions({ apiUrl: 'http://127.0.0.1:54321', anonKey: 'none' });
const renderAlone = await prepareRenderAlone(options, '/login');

await renderFor(WARM_UP_MS);
process.stdout.write(String(await renderFor(MEASURED_MS)));
process.exit(0);

async function renderFor(milliseconds: number): Promise<number> {
  const start = performance.now();
  let rendered = 0;
  while (performance.now() - start < milliseconds) {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    renderAlone(nowhere);
    await once(nowhere, 'finish');
    rendered += 1;
  }
  return rendered / ((performance.now() - start) / 1000);
}
