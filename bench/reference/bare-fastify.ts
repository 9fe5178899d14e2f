/** The reference for HTTP alone: a bare Fastify route that answers a constant page of the same size. */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

const page = readFileSync(process.argv[2] ?? '', 'utf8');
const server = Fastify();
server.get('/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
process.stdout.write(`ready ${await server.listen({ host: '127.0.0.1', port: 0 })}/\n`);
process.on('SIGTERM', () => process.exit(0));
