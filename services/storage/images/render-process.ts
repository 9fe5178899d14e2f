/**
 * A process that renders images for the one that has started it, one after the other. Decoders of images hang, grow and
 * crash on what they are given: here they do so by themselves, and can be ended.
 */
import { render, restrictSharp } from './render.ts';
import type { RenderJob, RenderMessage } from './render-job.ts';

const tell = (message: RenderMessage) => process.send?.(message);

restrictSharp();
// Sent to all processes of a terminal; the service ends this one when it has ended its requests.
process.on('SIGINT', () => undefined);
// An exit would wait for the image that is being rendered.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (job: RenderJob) => void render(job).then(tell));
tell({ kind: 'ready' });
