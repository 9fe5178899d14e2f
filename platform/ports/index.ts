/** Chooses TCP ports, and finds the processes that listen on them. */
export { choosePort, isPortFree } from './choose-port.ts';
export { findListener } from './find-listener.ts';
