/** `/object`: the routes of objects. */
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../../context.ts';
import { changeRoutes } from './change.ts';
import { listRoutes } from './list.ts';
import { readRoutes } from './read.ts';
import { signRoutes } from './sign.ts';
import { uploadRoutes } from './upload.ts';

/** Registers the routes. */
export const objectRoutes: FastifyPluginAsync<{ context: Context }> = async (scope, { context }) => {
  // Drops the prefix, which is also part of the plugin's options.
  const options = { context };
  await scope.register(uploadRoutes, options);
  await scope.register(readRoutes, options);
  await scope.register(signRoutes, options);
  await scope.register(changeRoutes, options);
  await scope.register(listRoutes, options);
};
