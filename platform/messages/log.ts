/** What delivery needs of a log. */

/** Details first, then what happened, as pino has it. */
export interface DeliveryLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
