/**
 * The package `greenroom`, for programs. It loads no code of an instance, which runs in a process of its own Node.js.
 */

export { defineConfig, type GreenroomConfig } from '@greenroom/product/config';
export { GreenroomError } from './embedding/greenroom-error.ts';
export type { InstanceSettings, ProcessEnd } from './embedding/instance-process.ts';
export type { InstanceDetails } from './embedding/protocol.ts';
export {
  type GreenroomInstance,
  type ServiceName,
  type StartOptions,
  startGreenroom,
} from './embedding/start-greenroom.ts';
