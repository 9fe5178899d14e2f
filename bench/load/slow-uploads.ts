/** Uploads of clients with little bandwidth: each sends a piece, and then waits. */
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadInput, serveLoad } from '../measure/load-process.ts';

interface SlowUploadsInput {
  url: string;
  headers: Record<string, string>;
  uploads: number;
}

const CHUNK = Buffer.alloc(4096, 'slow');
const PAUSE_MS = 100;
const { url, headers, uploads } = loadInput<SlowUploadsInput>();

const sending = Array.from({ length: uploads }, (_, number) => {
  const upload = request(`${url}${number}`, {
    agent: false,
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/octet-stream', 'transfer-encoding': 'chunked' },
  });
  upload.on('error', () => {});
  return upload;
});

serveLoad(uploads, async (loop) => {
  const upload = sending[loop];
  if (upload && !upload.write(CHUNK)) await once(upload, 'drain');
  await sleep(PAUSE_MS);
});
