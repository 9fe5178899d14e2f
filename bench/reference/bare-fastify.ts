/**
 * The reference for HTTP alone: a bare Fastify route that responds with a constant page of the same size. With a folder
 * as the second argument, it also serves the files in it, in Brotli if a compressed copy exists.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import Fastify from 'fastify';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const [, , pageFile = '', folder] = process.argv;
const page = readFileSync(pageFile, 'utf8');
const server = Fastify();
server.get('/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
if (folder)
  server.get<{ Params: { '*': string } }>('/*', async ({ params }, reply) => {
    const path = join(folder, params['*']);
    reply.type(TYPES[extname(path)] ?? 'application/octet-stream');
    const compressed = await readFile(`${path}.br`).catch(() => undefined);
    if (compressed) return reply.header('content-encoding', 'br').send(compressed);
    return readFile(path).catch(() => reply.callNotFound());
  });
process.stdout.write(`ready ${await server.listen({ host: '127.0.0.1', port: 0 })}/\n`);
process.on('SIGTERM', () => process.exit(0));
