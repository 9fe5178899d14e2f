/** The part of a logger that delivery uses. Details come first and the message second, like in pino. */
export interface DeliveryLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
