/**
 * The program of a render process, which renders images one at a time for its parent. Image decoders can hang, exhaust
 * memory or crash on malicious input; in a separate process this does not affect the service.
 */
import { render, restrictSharp } from './render.ts';
import type { RenderJob, RenderMessage } from './render-job.ts';

const send = (message: RenderMessage) => process.send?.(message);

restrictSharp();
// A terminal sends SIGINT to the whole process group. The service ends this process after its own requests.
process.on('SIGINT', () => undefined);
// A regular exit would wait for the image that is being rendered.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (job: RenderJob) => void render(job).then(send));
send({ kind: 'ready' });
