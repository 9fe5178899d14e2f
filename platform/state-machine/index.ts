/** Life cycles as pure transition functions, and the machine that runs their effects. */
export { StateMachine, type Transition } from './state-machine.ts';
