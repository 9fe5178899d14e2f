/** Functions: the code of a project, which runs in processes of Deno. */
export { functionsService } from './service.ts';
