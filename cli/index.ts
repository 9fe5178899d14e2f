/** The package `greenroom`, for programs. An instance runs in a separate process, so this module loads none of its code. */

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
