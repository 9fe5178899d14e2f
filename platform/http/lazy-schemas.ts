/**
 * JSON schemas of routes, compiled when a route is first requested. Loading Ajv and compiling all schemas would take a
 * large part of the start. Requests are validated exactly as by Fastify's defaults, with one exception: the names in a
 * schema of headers have to be in lower case.
 */
import type AjvCompiler from '@fastify/ajv-compiler';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';

type BuildCompiler = AjvCompiler.BuildCompilerFromPool;
type CompileSchema = ReturnType<BuildCompiler>;
type Validator = ReturnType<CompileSchema>;

/** Schema support of one server. */
interface LazySchemas {
  /** The server's option of the same name. */
  schemaController: NonNullable<FastifyServerOptions['schemaController']>;
  /** Loads Ajv before the first request to a route with a schema is validated. */
  addTo(server: FastifyInstance): void;
}

/** Creates the schema support. `load` loads Ajv; if it rejects, the request fails, and the next one tries again. */
export function createLazySchemas(load = () => import('@fastify/ajv-compiler')): LazySchemas {
  let build: BuildCompiler | undefined;
  const loadAjv = async () => {
    const { AjvCompiler } = await load();
    build ??= AjvCompiler() as BuildCompiler;
  };
  const buildValidator: BuildCompiler = (schemas, options) => {
    let compile: CompileSchema | undefined;
    return (...route) =>
      createLazyValidator(() => {
        if (build === undefined) throw new Error('Ajv is loaded before routes are validated');
        compile ??= build(schemas, options);
        return compile(...route);
      });
  };
  const buildSerializer = () => {
    throw new Error('schemas of responses are not supported');
  };
  return {
    schemaController: { compilersFactory: { buildValidator, buildSerializer } },
    addTo(server) {
      server.addHook('onRoute', (route) => {
        if (route.schema === undefined) return;
        const own = route.preValidation ?? [];
        route.preValidation = [
          (_request, _reply, done) => {
            if (build === undefined) loadAjv().then(() => done(), done);
            else done();
          },
          ...(Array.isArray(own) ? own : [own]),
        ];
      });
    },
  };
}

function createLazyValidator(compile: () => Validator): Validator {
  let compiled: Validator | undefined;
  const validate = (data: unknown, context: Parameters<Validator>[1]) => {
    compiled ??= compile();
    const isValid = compiled(data, context);
    validator.errors = compiled.errors ?? null;
    return isValid;
  };
  // Fastify passes the context, by which Ajv replaces a whole body, only to functions with this property of Ajv's.
  const validator = Object.assign(validate, { schemaEnv: {} }) as unknown as Validator;
  return validator;
}
