/**
 * The reference for content: a bare Fastify route that pipes a body into a file, which is synced, and another one that
 * pipes a file into the response. The folder is the second argument.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Fastify from 'fastify';

const [, , folder = ''] = process.argv;
const server = Fastify({ bodyLimit: Number.MAX_SAFE_INTEGER });
server.addContentTypeParser('*', (_request, _payload, done) => done(null));
server.put<{ Params: { name: string } }>('/:name', async ({ params, raw }) => {
  await pipeline(raw, createWriteStream(join(folder, params.name), { flush: true }));
  return { done: true };
});
server.get<{ Params: { name: string } }>('/:name', async ({ params }, reply) => {
  const path = join(folder, params.name);
  const { size } = await stat(path);
  return reply.header('content-length', size).type('application/octet-stream').send(createReadStream(path));
});
process.stdout.write(`ready ${await server.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.on('SIGTERM', () => process.exit(0));
