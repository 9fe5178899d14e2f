/** `greenroom/testing`: instances for the tests of a product. */
export { GreenroomError } from '../embedding/greenroom-error.ts';
export type { Duration, TestClock } from './clock.ts';
export type { TestMail, TestMailbox, WaitOptions } from './mailbox.ts';
export { startTestInstance, type TestInstance, type TestInstanceOptions } from './start-test-instance.ts';
export type { SessionCookie, TestUser, UserOptions } from './users.ts';
